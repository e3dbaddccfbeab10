//! LANE: 0 7 31
//! T,D: uint;word,64 float;float,-1,1,64 vec3;float,-1,1,256 bool;word,64
//! in s0=D s1=zero,256
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Src { uint bits[]; };
layout(std430, binding = 1) buffer Dst { vec4 dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
//! if T==bool
    bool v = (bits[i] & 1u) != 0u;
//! end
//! if T!=bool
    T v = T(bits[i] & 1023u);
//! end
    vec4 r = vec4(0.0);
//! if T==vec3
    r.xyz = subgroupBroadcast(v, LANE);
//! end
//! if T!=vec3
    r.x = float(subgroupBroadcast(v, LANE));
//! end
    r.w = float(subgroupBroadcastFirst(i));
    dst[i] = r;
}
