#! VER,EXPONENT: vs_1_1;expp vs_2_0;exp
#! FOG: linear exp none
#! TEX: scroll sphere planar
#! in vertices=32 p=float,-2,2 n=float,-1,1 x0=float,0,1 l0=float,-1,1,64
VER
def c15, 0.0, 1.0, 0.5, 1.442695
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dp4 r0.x, v0, c0
dp4 r0.y, v0, c1
dp4 r0.z, v0, c2
dp4 r0.w, v0, c3
mov oPos, r0
#! if FOG==linear
mad r1.x, r0.z, c8.x, c8.y
max r1.x, r1.x, c15.x
min oFog, r1.x, c15.y
#! end
#! if FOG==exp
mul r1.x, r0.z, c8.z
mul r1.x, r1.x, -c15.w
EXPONENT r1.y, r1.x
mov oFog, r1.y
#! end
#! if TEX==scroll
add oT0.xy, v2, c9
#! end
#! if TEX==sphere
mad r2.xy, v1, c15.z, c15.z
mov oT0.xy, r2
#! end
#! if TEX==planar
dp4 r2.x, v0, c10
dp4 r2.y, v0, c11
rcp r2.w, r0.w
mul oT0.xy, r2, r2.w
#! end
