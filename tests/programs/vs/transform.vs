#! VER: vs_1_1 vs_2_0 vs_3_0
#! WAY: m4x4 dp4 mad
#! in vertices=32 p=float,-2,2 n=float,-1,1 d0=float,0,1 x0=float,0,1 l0=float,-1,1,64
VER
dcl_position v0
dcl_color v1
dcl_texcoord v2
#! if VER==vs_3_0
dcl_position o0
dcl_color o1
dcl_texcoord o2
#! end
#! if WAY==m4x4
m4x4 r0, v0, c0
#! end
#! if WAY==dp4
dp4 r0.x, v0, c0
dp4 r0.y, v0, c1
dp4 r0.z, v0, c2
dp4 r0.w, v0, c3
#! end
#! if WAY==mad
mul r0, v0.x, c0
mad r0, v0.y, c1, r0
mad r0, v0.z, c2, r0
add r0, r0, c3
#! end
#! if VER==vs_3_0
mov o0, r0
mov o1, v1
mov o2, v2
#! end
#! if VER!=vs_3_0
mov oPos, r0
mov oD0, v1
mov oT0, v2
#! end
