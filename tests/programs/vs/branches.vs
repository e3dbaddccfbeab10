#! VER: vs_2_x vs_3_0
#! IFCMP: if_gt if_lt if_ge
#! LIM: 0.0 0.4
#! in vertices=32 p=float,-2,2 n=float,-1,1 l0=float,-1,1,64
VER
def c15, LIM, 1.0, 0.5, 2.0
dcl_position v0
dcl_normal v1
#! if VER==vs_3_0
dcl_position o0
dcl_color o1
#! end
mov r0, v1
IFCMP r0.x, c15.x
mul r0, r0, c15.w
else
add r0, r0, c15.y
endif
#! if VER==vs_3_0
m4x4 r2, v0, c0
mov o0, r2
mov o1, r0
#! end
#! if VER!=vs_3_0
m4x4 oPos, v0, c0
mov oD0, r0
#! end
