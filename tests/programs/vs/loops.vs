#! VER: vs_2_0 vs_3_0
#! N: 2 4
#! in vertices=32 p=float,-2,2 n=float,-1,1 l0=float,-1,1,64
VER
def c15, 0.0, 1.0, 0.5, 2.0
defi i0, N, 0, 1, 0
dcl_position v0
dcl_normal v1
#! if VER==vs_3_0
dcl_position o0
dcl_color o1
#! end
mov r0, c15.x
mov r1, v1
rep i0
mad r0, r1, c15.z, r0
mul r1, r1, r1.yzxw
endrep
#! if VER==vs_3_0
m4x4 r2, v0, c0
mov o0, r2
mov o1, r0
#! end
#! if VER==vs_2_0
m4x4 oPos, v0, c0
mov oD0, r0
#! end
