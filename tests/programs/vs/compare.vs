#! OP: sge slt min max
#! ABS: 0 1
#! in vertices=32 p=float,-2,2 n=float,-1,1 d0=float,0,1 l0=float,-1,1,64
vs_2_0
def c15, 0.0, 1.0, 0.5, 2.0
dcl_position v0
dcl_normal v1
dcl_color v2
m4x4 oPos, v0, c0
#! if ABS==1
abs r0, v1
#! end
#! if ABS==0
mov r0, v1
#! end
OP r1, r0, c15.z
mad r2, r1, v2, c8
frc r3, r2
mov oD0, r3
