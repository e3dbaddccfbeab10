# One of piglit's scripts with the driver's assembly in the place of its GLSL: awk -f glsl_join.awk CAPTURED SCRIPT, where
# CAPTURED is what `gp5 capture --link` wrote for the files of glsl_split.awk. Attributes become numbers, uniforms the
# buffers in which they stand. What this tool can't do it says on standard error.
function stop(why)
{
    print FILENAME ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- what was captured

FNR == NR && $1 == "#" && $2 == "attribute" { attribute[$4] = $3 }
FNR == NR && $1 == "#" && $2 == "uniform" { location[$4] = $3 }
FNR == NR && $1 == "#" && $2 == "member" {
    sub(/\[0\]$/, "", $5)
    block[$5] = $3
    offset[$5] = $4
    stride[$5] = $11
    matrix[$5] = $13
    rows[$5] = $14 == "rows"
}
FNR == NR && /^!!NV/ {
    stage = $1
    if (stage in program)
        stage = ""
    else
        order[++programs] = stage
}
FNR == NR && stage != "" { program[stage] = program[stage] $0 "\n" }
FNR == NR && /^END\r?$/ { stage = "" }
FNR == NR { next }

# ---- uniforms

function put(b, at, type, value)
{
    values[b, at] = value
    types[b, at] = type
    if (at + (type == "f64" ? 8 : 4) > size[b])
        size[b] = at + (type == "f64" ? 8 : 4)
    dirty[b] = 1
}

# A command for each run of one type.
function flush(    b, at, line, last)
{
    for (b in dirty) {
        printf "cbuffer %s zero 0\n", b
        last = ""
        line = ""
        for (at = 0; at < size[b]; at += last == "f64" ? 8 : 4) {
            if (!((b, at) in values))
                put(b, at, "u32", 0)
            if (types[b, at] != last && line != "")
                print line
            if (types[b, at] != last)
                line = "cbuffer " b " append " types[b, at]
            last = types[b, at]
            line = line " " values[b, at]
        }
        if (line != "")
            print line
    }
    delete dirty
}

function uniform(    type, name, columns, height, bytes, kind, from, element, n, c, r, k, b, at)
{
    type = $2
    name = $3
    kind = type ~ /^d/ ? "f64" : type ~ /^(int|ivec|bool|bvec)/ ? "s32" : type ~ /^u/ ? "u32" : "f32"
    bytes = kind == "f64" ? 8 : 4
    columns = 1
    height = 1
    if (match(type, /mat[0-9]x[0-9]$/)) {
        columns = substr(type, RSTART + 3, 1)
        height = substr(type, RSTART + 5, 1)
    } else if (match(type, /mat[0-9]$/)) {
        columns = height = substr(type, RSTART + 3, 1)
    } else if (match(type, /vec[0-9]$/)) {
        height = substr(type, RSTART + 3, 1)
    }
    element = 0
    if (!(name in block) && match(name, /\[[0-9]+\]$/)) {
        element = substr(name, RSTART + 1, RLENGTH - 2)
        name = substr(name, 1, RSTART - 1)
    }
    if (!(name in block)) {
        if (name in location)
            stop("uniform " name " stands in no buffer")
        return
    }
    b = block[name]
    for (from = 4; from + columns * height - 1 <= NF; element++)
        for (c = 0; c < columns; c++)
            for (r = 0; r < height; r++) {
                at = offset[name] + element * stride[name]
                at += rows[name] ? r * matrix[name] + c * bytes : c * matrix[name] + r * bytes
                put(b, at, kind, $(from++))
            }
}

# ---- transform feedback

# layout(location = L, xfb_buffer = B, xfb_offset = O) out TYPE NAME[N]...;
function varying(line,    place, buffer, at, type, count, k, n)
{
    if (line !~ /location/ || line ~ /{/ || line !~ /out[ \t]+(float|vec[2-4])[ \t]/)
        stop("transform feedback of a block or a structure")
    place = line
    sub(/.*location[ \t]*=[ \t]*/, "", place)
    buffer = line ~ /xfb_buffer/ ? line : "0"
    sub(/.*xfb_buffer[ \t]*=[ \t]*/, "", buffer)
    at = line
    sub(/.*xfb_offset[ \t]*=[ \t]*/, "", at)
    type = line
    sub(/.*out[ \t]+/, "", type)
    n = type ~ /^vec/ ? substr(type, 4, 1) : 1
    for (count = 1; match(line, /\[[0-9]+\][^\[]*$/); line = substr(line, 1, RSTART - 1))
        count *= substr(line, RSTART + 1) + 0
    for (k = 0; k < count; k++) {
        varyings[++nvaryings] = (at + 0 + 4 * n * k) " result.attrib[" (place + k) "] " n
        to[nvaryings] = buffer + 0
        if (at + 4 * n * (k + 1) > strides[buffer + 0])
            strides[buffer + 0] = at + 4 * n * (k + 1)
    }
}

# ---- the script

FNR == 1 {
    names["!!NVvp5.0"] = "vertex program"
    names["!!NVtcp5.0"] = "tessellation control program"
    names["!!NVtep5.0"] = "tessellation evaluation program"
    names["!!NVgp5.0"] = "geometry program"
    names["!!NVfp5.0"] = "fragment program"
    if (!programs)
        stop("nothing was captured")
    print "[require]\nGL_NV_gpu_program5"
}
/^\[/ {
    section = $0
    gsub(/^\[|\].*$/, "", section)
    if (section == "test")
        for (i = 1; i <= programs; i++)
            if (order[i] in names)
                printf "\n[%s]\n%s", names[order[i]], program[order[i]]
    if (section == "test" || section == "vertex data")
        print "\n[" section "]"
    heading = 1
    next
}
section ~ /^vertex shader$/ && /xfb_stride/ { stop("a stride of its own") }
section ~ /^vertex shader$/ && /xfb_offset/ { varying($0) }
section == "require" && $1 == "SIZE" { print }
section == "vertex data" && heading && NF && !/^#/ {
    for (i = 1; i <= NF; i++) {
        name = $i
        sub(/\/.*/, "", name)
        rest = substr($i, length(name) + 1)
        if (name in attribute)
            $i = attribute[name] rest
        else if (name !~ /^[0-9]+$/)
            $i = (15 - i) rest          # nobody reads it
    }
    heading = 0
    print
    next
}
section == "vertex data" { print }
section == "test" {
    sub(/#.*/, "")
    if ($1 == "uniform") {
        uniform()
        next
    }
    if ($1 == "draw" || $2 == "draw")
        flush()
    if ($2 == "draw" && !given++)
        for (i = 1; i <= nvaryings; i++)
            print "xfb varying", to[i], strides[to[i]], varyings[i]
    if ($1 != "link" && $2 !~ /^program/)
        print
}
END { exit failed }
