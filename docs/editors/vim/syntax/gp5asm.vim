" OpenGL assembly programs. Written by `make docs` from the tables of asm/; a test holds it up to date.
if exists('b:current_syntax')
  finish
endif
syn case match
syn iskeyword @,48-57,_,$

" What stands behind an opcode by dots.
syn match gp5Modifiers "\%(\.[A-Z][A-Za-z0-9]*\)\+" contained contains=gp5Modifier
syn match gp5Swizzle "\.\@1<=\%([xyzw]\{1,4}\|[rgba]\{1,4}\)\>"
syn match gp5Number "\<\%(0[xX]\x\+\|\d\+\%(\.\d*\)\=\%([eE][+-]\=\d\+\)\=\)\>"
syn match gp5Number "\.\d\+\%([eE][+-]\=\d\+\)\=\>"
syn match gp5Label "^\s*\zs[A-Za-z_$][A-Za-z0-9_$]*\ze\s*:"
syn match gp5Opcode "\<\%(XPD\|XOR\|X2D\|UP64\|UP4UB\|UP4B\|UP2US\|UP2H\|TXP\|TXL\|TXGO\|TXG\|TXFMS\|TXF\|TXD\|TXB\|TRUNC\|TGEQ\|TGBALLOT\|TGANY\|TGALL\|TEX\|SWZ\|SUB\|STR\|SSG\|SNE\|SLT\|SLE\|SIN\|SHR\|SHL\|SGXSCANP\|SGXSCAN\|SGVAR\|SGT\|SGSHFXOR\|SGSHFUP\|SGSHFIDX\|SGSHFDN\|SGROTC\|SGROT\|SGREDP\|SGREDC\|SGRED\|SGQSWAPV\|SGQSWAPH\|SGQSWAPD\|SGQBCAST\|SGPART\|SGISCANP\|SGISCAN\|SGFIRST\|SGEQ\|SGELECT\|SGE\|SGBMSB\|SGBLSB\|SGBINV\|SGBCNTX\|SGBCNTI\|SGBCNT\|SGBCAST\|SGBBIT\|SGBALLOT\|SGANY\|SGALL\|SFL\|SEQ\|SCS\|SAD\|RSQ\|ROUND\|RFL\|REP\|RCP\|RCC\|QSWZY\|QSWZX\|QSWZ3\|QSWZ2\|QSWZ1\|QSWZ0\|POW\|OR\|NRM\|NOT\|MUL\|MOV\|MOD\|MIN\|MAX\|MAD\|LRP\|LOG\|LOD\|LOADIM\|LOAD\|LIT\|LG2\|LDS\|LDL\|LDC\|LDB\|KIL\|IPAS\|IPAO\|IPAC\|I2F\|FRC\|FLR\|EXP\|EX2\|DST\|DPH\|DP4\|DP3\|DP2A\|DP2\|DIV\|DEMOTE\|DDY\|DDX\|CVT\|COS\|CMP\|CEIL\|BTFM\|BTFL\|BTC\|BFR\|BFI\|BFE\|ATOMS\|ATOMIM\|ATOMCTROP\|ATOMCTR\|ATOMB\|ATOM\|ARR\|ARL\|ARA\|AND\|ADD\|ABS\)[RHX]\=\%(C[01]\=\)\=\%(_S\=SAT\)\=\>" nextgroup=gp5Modifiers
syn match gp5Condition "\<\%(TR\|SF\|RESIDENT\|OF\|NSF\|NONRESIDENT\|NOF\|NE\|NCF\|NAN\|LT\|LEG\|LE\|GT\|GE\|FL\|EQ\|CF\|BLE\|AB\)[01]\=\>"
syn match gp5Path "\<\%(vertex\|texture\|state\|result\|program\|primitive\|invocation\|image\|fragment\)\>\%(\[[^][]*\]\|\.[a-z][a-z0-9]*\>\)*" contains=gp5Root,gp5Binding,gp5Number,gp5Swizzle
syn match gp5Header "^!!ARBvp1\.0"
syn match gp5Header "^!!ARBfp1\.0"
syn match gp5Header "^!!NVvp4\.0"
syn match gp5Header "^!!NVgp4\.0"
syn match gp5Header "^!!NVfp4\.0"
syn match gp5Header "^!!NVvp4\.1"
syn match gp5Header "^!!NVgp4\.1"
syn match gp5Header "^!!NVfp4\.1"
syn match gp5Header "^!!NVvp5\.0"
syn match gp5Header "^!!NVtcp5\.0"
syn match gp5Header "^!!NVtep5\.0"
syn match gp5Header "^!!NVgp5\.0"
syn match gp5Header "^!!NVfp5\.0"
syn match gp5Header "^!!NVcp5\.0"
syn match gp5Header "^!!VP1\.0"
syn match gp5Header "^!!VP1\.1"
syn match gp5Header "^!!VP2\.0"
syn match gp5Header "^!!FP1\.0"
syn match gp5Comment "#.*$" contains=gp5Todo,@Spell
syn keyword gp5Todo TODO FIXME XXX contained

syn keyword gp5Opcode BAR nextgroup=gp5Modifiers
syn keyword gp5Opcode BRA nextgroup=gp5Modifiers
syn keyword gp5Opcode BRK nextgroup=gp5Modifiers
syn keyword gp5Opcode CAL nextgroup=gp5Modifiers
syn keyword gp5Opcode CALI nextgroup=gp5Modifiers
syn keyword gp5Opcode CONT nextgroup=gp5Modifiers
syn keyword gp5Opcode ELSE nextgroup=gp5Modifiers
syn keyword gp5Opcode EMIT nextgroup=gp5Modifiers
syn keyword gp5Opcode EMITS nextgroup=gp5Modifiers
syn keyword gp5Opcode ENDIF nextgroup=gp5Modifiers
syn keyword gp5Opcode ENDLOOP nextgroup=gp5Modifiers
syn keyword gp5Opcode ENDPRIM nextgroup=gp5Modifiers
syn keyword gp5Opcode ENDREP nextgroup=gp5Modifiers
syn keyword gp5Opcode FSIB nextgroup=gp5Modifiers
syn keyword gp5Opcode FSIE nextgroup=gp5Modifiers
syn keyword gp5Opcode IF nextgroup=gp5Modifiers
syn keyword gp5Opcode IMQ nextgroup=gp5Modifiers
syn keyword gp5Opcode IMQS nextgroup=gp5Modifiers
syn keyword gp5Opcode LOOP nextgroup=gp5Modifiers
syn keyword gp5Opcode MATCH nextgroup=gp5Modifiers
syn keyword gp5Opcode MEMBAR nextgroup=gp5Modifiers
syn keyword gp5Opcode PK2H nextgroup=gp5Modifiers
syn keyword gp5Opcode PK2US nextgroup=gp5Modifiers
syn keyword gp5Opcode PK4B nextgroup=gp5Modifiers
syn keyword gp5Opcode PK4UB nextgroup=gp5Modifiers
syn keyword gp5Opcode PK64 nextgroup=gp5Modifiers
syn keyword gp5Opcode POPA nextgroup=gp5Modifiers
syn keyword gp5Opcode PUSHA nextgroup=gp5Modifiers
syn keyword gp5Opcode RET nextgroup=gp5Modifiers
syn keyword gp5Opcode SGBAR nextgroup=gp5Modifiers
syn keyword gp5Opcode SGMEMBAR nextgroup=gp5Modifiers
syn keyword gp5Opcode SGNVDOWN nextgroup=gp5Modifiers
syn keyword gp5Opcode SGNVIDX nextgroup=gp5Modifiers
syn keyword gp5Opcode SGNVUP nextgroup=gp5Modifiers
syn keyword gp5Opcode SGNVXOR nextgroup=gp5Modifiers
syn keyword gp5Opcode SHFDOWN nextgroup=gp5Modifiers
syn keyword gp5Opcode SHFIDX nextgroup=gp5Modifiers
syn keyword gp5Opcode SHFUP nextgroup=gp5Modifiers
syn keyword gp5Opcode SHFXOR nextgroup=gp5Modifiers
syn keyword gp5Opcode STB nextgroup=gp5Modifiers
syn keyword gp5Opcode STL nextgroup=gp5Modifiers
syn keyword gp5Opcode STORE nextgroup=gp5Modifiers
syn keyword gp5Opcode STOREIM nextgroup=gp5Modifiers
syn keyword gp5Opcode STS nextgroup=gp5Modifiers
syn keyword gp5Opcode TXQ nextgroup=gp5Modifiers
syn keyword gp5Opcode TXQS nextgroup=gp5Modifiers
syn keyword gp5Modifier ADD contained
syn keyword gp5Modifier ALL contained
syn keyword gp5Modifier AND contained
syn keyword gp5Modifier ANY contained
syn keyword gp5Modifier BUFFER contained
syn keyword gp5Modifier CC contained
syn keyword gp5Modifier CC0 contained
syn keyword gp5Modifier CC1 contained
syn keyword gp5Modifier CEIL contained
syn keyword gp5Modifier COARSE contained
syn keyword gp5Modifier COH contained
syn keyword gp5Modifier COUNT contained
syn keyword gp5Modifier CSWAP contained
syn keyword gp5Modifier CTA contained
syn keyword gp5Modifier DECR contained
syn keyword gp5Modifier DWRAP contained
syn keyword gp5Modifier EQMASK contained
syn keyword gp5Modifier EXCH contained
syn keyword gp5Modifier F contained
syn keyword gp5Modifier F16 contained
syn keyword gp5Modifier F16X2 contained
syn keyword gp5Modifier F16X4 contained
syn keyword gp5Modifier F32 contained
syn keyword gp5Modifier F32X2 contained
syn keyword gp5Modifier F32X4 contained
syn keyword gp5Modifier F64 contained
syn keyword gp5Modifier F64X2 contained
syn keyword gp5Modifier F64X4 contained
syn keyword gp5Modifier FINE contained
syn keyword gp5Modifier FLR contained
syn keyword gp5Modifier GEMASK contained
syn keyword gp5Modifier GET contained
syn keyword gp5Modifier GTMASK contained
syn keyword gp5Modifier HI contained
syn keyword gp5Modifier ID contained
syn keyword gp5Modifier IMAGE contained
syn keyword gp5Modifier INCR contained
syn keyword gp5Modifier IWRAP contained
syn keyword gp5Modifier LANE contained
syn keyword gp5Modifier LEMASK contained
syn keyword gp5Modifier LODCLAMP contained
syn keyword gp5Modifier LTMASK contained
syn keyword gp5Modifier MAX contained
syn keyword gp5Modifier MIN contained
syn keyword gp5Modifier MUL contained
syn keyword gp5Modifier NTC contained
syn keyword gp5Modifier OR contained
syn keyword gp5Modifier PREC contained
syn keyword gp5Modifier ROUND contained
syn keyword gp5Modifier S contained
syn keyword gp5Modifier S16 contained
syn keyword gp5Modifier S16X2 contained
syn keyword gp5Modifier S16X4 contained
syn keyword gp5Modifier S24 contained
syn keyword gp5Modifier S32 contained
syn keyword gp5Modifier S32X2 contained
syn keyword gp5Modifier S32X4 contained
syn keyword gp5Modifier S64 contained
syn keyword gp5Modifier S64X2 contained
syn keyword gp5Modifier S64X4 contained
syn keyword gp5Modifier S8 contained
syn keyword gp5Modifier S8X2 contained
syn keyword gp5Modifier S8X4 contained
syn keyword gp5Modifier SAT contained
syn keyword gp5Modifier SHARED contained
syn keyword gp5Modifier SIZE contained
syn keyword gp5Modifier SPARSE contained
syn keyword gp5Modifier SSAT contained
syn keyword gp5Modifier TRUNC contained
syn keyword gp5Modifier U contained
syn keyword gp5Modifier U16 contained
syn keyword gp5Modifier U16X2 contained
syn keyword gp5Modifier U16X4 contained
syn keyword gp5Modifier U24 contained
syn keyword gp5Modifier U32 contained
syn keyword gp5Modifier U32X2 contained
syn keyword gp5Modifier U32X4 contained
syn keyword gp5Modifier U64 contained
syn keyword gp5Modifier U64X2 contained
syn keyword gp5Modifier U64X4 contained
syn keyword gp5Modifier U8 contained
syn keyword gp5Modifier U8X2 contained
syn keyword gp5Modifier U8X4 contained
syn keyword gp5Modifier VOL contained
syn keyword gp5Modifier XOR contained
syn keyword gp5Option ARB_blend_func_extended
syn keyword gp5Option ARB_compute_variable_group_size
syn keyword gp5Option ARB_cull_distance
syn keyword gp5Option ARB_derivative_control
syn keyword gp5Option ARB_draw_buffers
syn keyword gp5Option ARB_fog_exp
syn keyword gp5Option ARB_fog_exp2
syn keyword gp5Option ARB_fog_linear
syn keyword gp5Option ARB_fragment_layer_viewport
syn keyword gp5Option ARB_fragment_program_shadow
syn keyword gp5Option ARB_position_invariant
syn keyword gp5Option ARB_precision_hint_fastest
syn keyword gp5Option ARB_precision_hint_nicest
syn keyword gp5Option ARB_shader_image_size
syn keyword gp5Option ARB_viewport_array
syn keyword gp5Option ATI_draw_buffers
syn keyword gp5Option EXT_post_depth_coverage
syn keyword gp5Option EXT_shader_image_load_formatted
syn keyword gp5Option EXT_sparse_texture2
syn keyword gp5Option GP5_subgroup
syn keyword gp5Option NV_bindless_texture
syn keyword gp5Option NV_derivative_group_linear
syn keyword gp5Option NV_derivative_group_quads
syn keyword gp5Option NV_early_fragment_tests
syn keyword gp5Option NV_explicit_multisample
syn keyword gp5Option NV_fragment_program
syn keyword gp5Option NV_fragment_program2
syn keyword gp5Option NV_geometry_shader_passthrough
syn keyword gp5Option NV_gpu_program5_mem_extended
syn keyword gp5Option NV_gpu_program_fp64
syn keyword gp5Option NV_internal
syn keyword gp5Option NV_layer_viewport_relative
syn keyword gp5Option NV_parameter_buffer_object2
syn keyword gp5Option NV_pixel_interlock_ordered
syn keyword gp5Option NV_pixel_interlock_unordered
syn keyword gp5Option NV_position_invariant
syn keyword gp5Option NV_sample_interlock_ordered
syn keyword gp5Option NV_sample_interlock_unordered
syn keyword gp5Option NV_shader_atomic_counters
syn keyword gp5Option NV_shader_atomic_float
syn keyword gp5Option NV_shader_atomic_float64
syn keyword gp5Option NV_shader_atomic_fp16_vector
syn keyword gp5Option NV_shader_atomic_int64
syn keyword gp5Option NV_shader_buffer_load
syn keyword gp5Option NV_shader_storage_buffer
syn keyword gp5Option NV_shader_thread_group
syn keyword gp5Option NV_shader_thread_shuffle
syn keyword gp5Option NV_stereo_view_rendering
syn keyword gp5Option NV_texture_multisample
syn keyword gp5Option NV_vertex_program2
syn keyword gp5Option NV_vertex_program3
syn keyword gp5Option NV_viewport_array2
syn keyword gp5Keyword ADDRESS
syn keyword gp5Keyword ALIAS
syn keyword gp5Keyword ATTRIB
syn keyword gp5Keyword BUFFER
syn keyword gp5Keyword BUFFER4
syn keyword gp5Keyword CBUFFER
syn keyword gp5Keyword CENTROID
syn keyword gp5Keyword COUNTER
syn keyword gp5Keyword DECLARE
syn keyword gp5Keyword DEFINE
syn keyword gp5Keyword END
syn keyword gp5Keyword FLAT
syn keyword gp5Keyword FLOAT
syn keyword gp5Keyword GROUP_SIZE
syn keyword gp5Keyword IMAGE
syn keyword gp5Keyword INT
syn keyword gp5Keyword INVOCATIONS
syn keyword gp5Keyword LONG
syn keyword gp5Keyword NOPERSPECTIVE
syn keyword gp5Keyword OPTION
syn keyword gp5Keyword OUTPUT
syn keyword gp5Keyword PARAM
syn keyword gp5Keyword PASSTHROUGH
syn keyword gp5Keyword PRIMITIVE_IN
syn keyword gp5Keyword PRIMITIVE_OUT
syn keyword gp5Keyword SAMPLE
syn keyword gp5Keyword SECONDARY_VIEW_LAYER_OFFSET
syn keyword gp5Keyword SHARED
syn keyword gp5Keyword SHARED_MEMORY
syn keyword gp5Keyword SHORT
syn keyword gp5Keyword STORAGE
syn keyword gp5Keyword SUBROUTINE
syn keyword gp5Keyword SUBROUTINETYPE
syn keyword gp5Keyword TEMP
syn keyword gp5Keyword TESS_MODE
syn keyword gp5Keyword TESS_POINT_MODE
syn keyword gp5Keyword TESS_SPACING
syn keyword gp5Keyword TESS_VERTEX_ORDER
syn keyword gp5Keyword TEXTURE
syn keyword gp5Keyword UINT
syn keyword gp5Keyword VERTICES_OUT
syn keyword gp5Target 1D
syn keyword gp5Target 2D
syn keyword gp5Target 2DMS
syn keyword gp5Target 3D
syn keyword gp5Target ARRAY1D
syn keyword gp5Target ARRAY2D
syn keyword gp5Target ARRAY2DMS
syn keyword gp5Target ARRAYCUBE
syn keyword gp5Target BUFFER
syn keyword gp5Target CUBE
syn keyword gp5Target EXTERNAL
syn keyword gp5Target RECT
syn keyword gp5Target RENDERBUFFER
syn keyword gp5Target SHADOW1D
syn keyword gp5Target SHADOW2D
syn keyword gp5Target SHADOWARRAY1D
syn keyword gp5Target SHADOWARRAY2D
syn keyword gp5Target SHADOWARRAYCUBE
syn keyword gp5Target SHADOWCUBE
syn keyword gp5Target SHADOWRECT
syn keyword gp5Root fragment contained
syn keyword gp5Root image contained
syn keyword gp5Root invocation contained
syn keyword gp5Root primitive contained
syn keyword gp5Root program contained
syn keyword gp5Root result contained
syn keyword gp5Root state contained
syn keyword gp5Root texture contained
syn keyword gp5Root vertex contained
syn keyword gp5Binding ambient contained
syn keyword gp5Binding attenuation contained
syn keyword gp5Binding attrib contained
syn keyword gp5Binding back contained
syn keyword gp5Binding barycoord contained
syn keyword gp5Binding baseInstance contained
syn keyword gp5Binding baseVertex contained
syn keyword gp5Binding buffer contained
syn keyword gp5Binding clip contained
syn keyword gp5Binding clockhi contained
syn keyword gp5Binding clocklo contained
syn keyword gp5Binding color contained
syn keyword gp5Binding counter contained
syn keyword gp5Binding cull contained
syn keyword gp5Binding depth contained
syn keyword gp5Binding diffuse contained
syn keyword gp5Binding direction contained
syn keyword gp5Binding drawId contained
syn keyword gp5Binding emission contained
syn keyword gp5Binding env contained
syn keyword gp5Binding eye contained
syn keyword gp5Binding facing contained
syn keyword gp5Binding fog contained
syn keyword gp5Binding fogcoord contained
syn keyword gp5Binding front contained
syn keyword gp5Binding fullycovered contained
syn keyword gp5Binding globalid contained
syn keyword gp5Binding groupcount contained
syn keyword gp5Binding groupid contained
syn keyword gp5Binding groupsize contained
syn keyword gp5Binding half contained
syn keyword gp5Binding helperthread contained
syn keyword gp5Binding id contained
syn keyword gp5Binding in contained
syn keyword gp5Binding instance contained
syn keyword gp5Binding inverse contained
syn keyword gp5Binding invocation contained
syn keyword gp5Binding invtrans contained
syn keyword gp5Binding layer contained
syn keyword gp5Binding light contained
syn keyword gp5Binding lightmodel contained
syn keyword gp5Binding lightprod contained
syn keyword gp5Binding local contained
syn keyword gp5Binding localid contained
syn keyword gp5Binding localindex contained
syn keyword gp5Binding material contained
syn keyword gp5Binding matrix contained
syn keyword gp5Binding modelview contained
syn keyword gp5Binding multisample contained
syn keyword gp5Binding mvp contained
syn keyword gp5Binding normal contained
syn keyword gp5Binding normalscale contained
syn keyword gp5Binding object contained
syn keyword gp5Binding out contained
syn keyword gp5Binding palette contained
syn keyword gp5Binding params contained
syn keyword gp5Binding patch contained
syn keyword gp5Binding plane contained
syn keyword gp5Binding point contained
syn keyword gp5Binding pointcoord contained
syn keyword gp5Binding pointsize contained
syn keyword gp5Binding position contained
syn keyword gp5Binding positions contained
syn keyword gp5Binding primary contained
syn keyword gp5Binding primid contained
syn keyword gp5Binding program contained
syn keyword gp5Binding projection contained
syn keyword gp5Binding q contained
syn keyword gp5Binding r contained
syn keyword gp5Binding range contained
syn keyword gp5Binding row contained
syn keyword gp5Binding s contained
syn keyword gp5Binding sampleid contained
syn keyword gp5Binding samplemask contained
syn keyword gp5Binding samples contained
syn keyword gp5Binding scenecolor contained
syn keyword gp5Binding secondary contained
syn keyword gp5Binding secondaryposition contained
syn keyword gp5Binding secondaryviewportmask contained
syn keyword gp5Binding shadingrate contained
syn keyword gp5Binding sharedmem contained
syn keyword gp5Binding shininess contained
syn keyword gp5Binding size contained
syn keyword gp5Binding smcount contained
syn keyword gp5Binding smid contained
syn keyword gp5Binding specular contained
syn keyword gp5Binding spot contained
syn keyword gp5Binding storage contained
syn keyword gp5Binding storagelen contained
syn keyword gp5Binding subroutine contained
syn keyword gp5Binding t contained
syn keyword gp5Binding tesscoord contained
syn keyword gp5Binding tessinner contained
syn keyword gp5Binding tessouter contained
syn keyword gp5Binding texcoord contained
syn keyword gp5Binding texenv contained
syn keyword gp5Binding texgen contained
syn keyword gp5Binding texture contained
syn keyword gp5Binding thread contained
syn keyword gp5Binding threadeqmask contained
syn keyword gp5Binding threadgemask contained
syn keyword gp5Binding threadgtmask contained
syn keyword gp5Binding threadid contained
syn keyword gp5Binding threadlemask contained
syn keyword gp5Binding threadltmask contained
syn keyword gp5Binding transpose contained
syn keyword gp5Binding vertexcount contained
syn keyword gp5Binding viewindex contained
syn keyword gp5Binding viewport contained
syn keyword gp5Binding viewportmask contained
syn keyword gp5Binding warpid contained
syn keyword gp5Binding warpsize contained
syn keyword gp5Binding warpspersm contained
syn keyword gp5Binding weight contained

hi def link gp5Header PreProc
hi def link gp5Comment Comment
hi def link gp5Todo Todo
hi def link gp5Opcode Statement
hi def link gp5Modifier Type
hi def link gp5Option Special
hi def link gp5Keyword StorageClass
hi def link gp5Target Constant
hi def link gp5Condition Conditional
hi def link gp5Root Identifier
hi def link gp5Binding Identifier
hi def link gp5Swizzle Special
hi def link gp5Number Number
hi def link gp5Label Label

let b:current_syntax = 'gp5asm'
