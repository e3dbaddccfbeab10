# The GLSL of one of piglit's scripts as files for `gp5 capture --link`: awk -v to=FOLDER/NAME -f glsl_split.awk SCRIPT
# writes FOLDER/NAME.vert, .tesc, .tese, .geom and .frag, numbered where there are several of a stage, and prints their
# names. Uniforms move into one block, so that the bytes at which they stand are the standard's and not a compiler's;
# the attribute that rectangles feed is number 0, as piglit binds it. What this tool can't do it says on standard error.
BEGIN {
    suffix["vertex shader"] = suffix["vertex shader passthrough"] = "vert"
    suffix["tessellation control shader"] = "tesc"
    suffix["tessellation evaluation shader"] = "tese"
    suffix["geometry shader"] = "geom"
    suffix["fragment shader"] = "frag"
    version = "110"
}

function stop(why)
{
    print FILENAME ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

/^\[/ {
    section = $0
    gsub(/^\[|\].*$/, "", section)
    if (section ~ / spirv$/)
        next                    # the same shader stands there in GLSL, too
    if (section ~ /shader|layout/ && !(section in suffix))
        stop("section [" section "]")
    if (section in suffix) {
        file[++files] = section
        if (section ~ /passthrough/)
            text[files] = "in vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n"
    }
    next
}

section == "require" && $1 == "GLSL" {
    if ($2 == "ES")
        stop("OpenGL ES")
    version = $3
    sub(/\./, "", version)
}

section in suffix && section !~ /passthrough/ {
    line = $0
    # Declarations of plain types: `uniform TYPE NAME...;` without a value.
    if (line ~ /^[ \t]*(flat |highp |mediump )*uniform[ \t]/ && line !~ /sampler|image|atomic|[{=]|Block|block/ &&
        line ~ /;/) {
        sub(/^[ \t]*(flat |highp |mediump )*uniform[ \t]+((highp|mediump|lowp)[ \t]+)?/, "", line)
        sub(/;.*/, ";", line)
        if (!(line in seen_uniform)) {
            seen_uniform[line] = 1
            uniforms = uniforms "\t" line "\n"
        }
        has_uniforms[files] = 1
        line = "//uniform"
    } else if (line ~ /^[ \t]*uniform[ \t].*=/ && line !~ /sampler/) {
        stop("a uniform with a value")
    }
    text[files] = text[files] line "\n"
}

END {
    if (failed)
        exit 1
    for (i = 1; i <= files; i++) {
        body = text[i]
        head = "#version " version "\n"
        if (match(body, /[ \t]*#version[^\n]*\n/)) {
            head = substr(body, RSTART, RLENGTH)
            body = substr(body, 1, RSTART - 1) substr(body, RSTART + RLENGTH)
        }
        # Extensions stand before everything else.
        while (match(body, /[ \t]*#extension[^\n]*\n/)) {
            head = head substr(body, RSTART, RLENGTH)
            body = substr(body, 1, RSTART - 1) substr(body, RSTART + RLENGTH)
        }
        if (suffix[file[i]] == "vert" && body ~ /(in|attribute)[ \t]+vec4[ \t]+piglit_vertex/) {
            head = head "#extension GL_ARB_explicit_attrib_location : enable\n"
            sub(/(in|attribute)[ \t]+vec4[ \t]+piglit_vertex/, "layout(location = 0) in vec4 piglit_vertex", body)
        }
        if (has_uniforms[i]) {
            head = head "#extension GL_ARB_uniform_buffer_object : enable\n"
            block = "layout(std140) uniform gp5_uniforms {\n" uniforms "};\n"
            at = 0
            rest = body
            while (match(rest, /\/\/uniform\n/)) {
                at += RSTART + RLENGTH - 1
                rest = substr(rest, RSTART + RLENGTH)
            }
            body = substr(body, 1, at) block substr(body, at + 1)
        }
        kind = suffix[file[i]]
        name = to (count[kind]++ ? "." count[kind] : "") "." kind
        printf "%s%s", head, body >name
        close(name)
        print name
    }
}
