#! VER: vs_1_1 vs_2_0
#! LIGHTS: 1 2
#! KIND: directional point
#! SPEC: 0 1
#! in vertices=32 p=float,-2,2 n=float,-1,1 d0=float,0,1 l0=float,-1,1,64
VER
def c15, 0.0, 1.0, 0.5, 16.0
dcl_position v0
dcl_normal v1
dcl_color v2
m4x4 oPos, v0, c0
m3x3 r0.xyz, v1, c4
dp3 r0.w, r0, r0
rsq r0.w, r0.w
mul r0.xyz, r0, r0.w
#! if KIND==directional
mov r1.xyz, c7
#! end
#! if KIND==point
sub r1.xyz, c7, v0
dp3 r1.w, r1, r1
rsq r1.w, r1.w
mul r1.xyz, r1, r1.w
#! end
dp3 r2.x, r0, r1
#! if SPEC==1
add r3.xyz, r1, c8
dp3 r3.w, r3, r3
rsq r3.w, r3.w
mul r3.xyz, r3, r3.w
dp3 r2.y, r0, r3
mov r2.w, c15.w
lit r4, r2
mul r5, v2, r4.y
mad r5, c9, r4.z, r5
#! end
#! if SPEC==0
max r2.x, r2.x, c15.x
mul r5, v2, r2.x
#! end
#! if LIGHTS==2
dp3 r6.x, r0, c10
max r6.x, r6.x, c15.x
mad r5, c11, r6.x, r5
#! end
mov oD0, r5
