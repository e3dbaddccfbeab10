//! LOOP: for(;;) for(uint~g=0;g<32;g++) while(n<20u)
//! FORM: side else after continue two late
//! WHAT: subgroupBallotBitCount(subgroupBallot(true)) subgroupAdd(src[i]) subgroupBroadcastFirst(i)
//! in s0=int,0,63,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, key = src[i] & 7u, r = 0, n = 0;
    bool done = false;
    LOOP {
        uint now = subgroupBroadcastFirst(key);
//! if FORM==side
        if (now == key) {
            r = WHAT * 64u + n;
            break;
        }
//! end
//! if FORM==else
        if (now != key) {
            n += 2u;
        } else {
            r = WHAT * 64u + n;
            break;
        }
//! end
//! if FORM==after
        if (now == key) {
            r = WHAT * 64u + n;
            done = true;
        }
        if (done)
            break;
//! end
//! if FORM==continue
        if (now != key) {
            n++;
            continue;
        }
        r = WHAT * 64u + n;
        break;
//! end
//! if FORM==two
        if (now == key) {
            r = WHAT * 64u + n;
            break;
        }
        if (key > 5u && n > 1u) {
            r = WHAT + 1u;
            break;
        }
//! end
//! if FORM==late
        if (now == key)
            break;
        r += key;
//! end
        n++;
    }
//! if FORM==late
    r = WHAT * 64u + n + r;
//! end
    dst[i] = r;
}
