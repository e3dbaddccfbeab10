/* Planes in vector registers: loaded when an operation first reads them, stored at the end or when another one needs
 * the register. */
#include "eval/jit/jit_internal.h"

/* A register that no operation needs before its operands and results have their places. */
enum { LOOK_AHEAD = 24, PAIR_TEMP = NATIVE_OPERAND + 2 };

unsigned eval_native_mask(const struct native_builder *b, unsigned part, bool under_mask)
{
    return b->masked && under_mask ? NATIVE_LANES + part : 0;
}

static struct x86_place memory(const struct native_builder *b, uint32_t plane, unsigned part)
{
    return (struct x86_place){X86_MEMORY, (uint32_t)(plane * WARP_LANES * sizeof(uint32_t) + 64 * part + 32 * b->part)};
}

struct x86_place eval_native_packed(const struct native_builder *b, unsigned packed)
{
    return (struct x86_place){X86_FRAME, packed * (b->code.avx2 ? 32 : 64)};
}

/* Every NaN becomes the canonical one. */
static void canonicalise(struct native_builder *b, unsigned slot)
{
    struct native_slot *s = &b->slots[slot];

    for (unsigned h = 0; h < native_parts(b) && s->nans; h++) {
        unsigned r = native_part(b, slot, h);
        x86_vector(&b->code, X86_CMPPS, NATIVE_K, r, x86_reg(r),
                   eval_native_mask(b, h, s->nans == NANS_ANY_ACTIVE), 3);
        x86_vector(&b->code, X86_LOAD, r, 0, x86_reg(NATIVE_NAN), NATIVE_K, 0);
    }
    s->nans = NANS_CANONICAL;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* A 64-bit value: a plane of low and one of high words. */
static void load_pair(struct native_builder *b, unsigned r, uint32_t plane)
{
    x86_vector(&b->code, X86_WIDEN, PAIR_TEMP, 0, memory(b, plane + 1, 0), 0, 0);
    x86_vector(&b->code, X86_WIDEN, r, 0, memory(b, plane, 0), 0, 0);
    x86_vector(&b->code, X86_SHIFT64, X86_SHL, PAIR_TEMP, x86_reg(PAIR_TEMP), 0, 32);
    x86_vector(&b->code, X86_OR64, r, r, x86_reg(PAIR_TEMP), 0, 0);
}

static void store_pair(struct native_builder *b, unsigned r, uint32_t plane)
{
    x86_vector(&b->code, X86_NARROW, r, 0, memory(b, plane, 0), 0, 0);
    x86_vector(&b->code, X86_SHIFT64, X86_SHR, PAIR_TEMP, x86_reg(r), 0, 32);
    x86_vector(&b->code, X86_NARROW, PAIR_TEMP, 0, memory(b, plane + 1, 0), 0, 0);
}

/* What waits in the frame goes to its planes. */
static void unpack(struct native_builder *b, unsigned packed)
{
    struct native_packed *p = &b->packed[packed];

    if (p->dirty) {
        x86_vector(&b->code, X86_LOAD64, NATIVE_OPERAND + 1, 0, eval_native_packed(b, packed), 0, 0);
        store_pair(b, NATIVE_OPERAND + 1, p->plane);
        b->stored = true;
    }
    b->packed_at[p->plane] = b->packed_at[p->plane + 1] = 0;
    *p = (struct native_packed){.plane = NO_PLANE};
}

static unsigned place_to_wait(struct native_builder *b, uint32_t plane)
{
    unsigned i = b->packed_at[plane];

    if (i)
        return i - 1;
    while (i < NATIVE_MOST_PACKED && b->packed[i].plane != NO_PLANE)
        i++;
    return i;
}

/* A 64-bit value leaves its register and stays packed. False where there is no room. */
static bool pack(struct native_builder *b, unsigned slot)
{
    struct native_slot *s = &b->slots[slot];
    unsigned i = place_to_wait(b, s->plane);

    if (i == NATIVE_MOST_PACKED)
        return false;
    if (s->dirty || !b->packed_at[s->plane]) {
        x86_vector(&b->code, X86_STORE64, native_part(b, slot, 0), 0, eval_native_packed(b, i), 0, 0);
        b->packed[i] = (struct native_packed){.plane = s->plane, .dirty = s->dirty, .doubtful = s->doubtful};
    }
    b->packed_at[s->plane] = b->packed_at[s->plane + 1] = (uint8_t)(i + 1);
    b->slot_of[s->plane] = b->slot_of[s->plane + 1] = NO_SLOT;
    *s = (struct native_slot){.plane = NO_PLANE};
    return true;
}

static void release(struct native_builder *b, unsigned slot)
{
    struct native_slot *s = &b->slots[slot];

    if (s->plane == NO_PLANE)
        return;
    b->stored |= s->dirty;
    if (s->dirty && s->wide)
        store_pair(b, native_part(b, slot, 0), s->plane);
    if (s->dirty && !s->wide) {
        if (!b->spills)
            canonicalise(b, slot);
        for (unsigned h = 0; h < native_parts(b); h++)
            x86_vector(&b->code, X86_STORE, native_part(b, slot, h), 0, memory(b, s->plane, h), 0, 0);
        b->spilled[s->plane] = s->nans;
    }
    b->slot_of[s->plane] = NO_SLOT;
    if (s->wide)
        b->slot_of[s->plane + 1] = NO_SLOT;
    *s = (struct native_slot){.plane = NO_PLANE};
}

bool eval_native_pack_all(struct native_builder *b)
{
    unsigned room = 0, wanted = 0;

    for (unsigned i = 0; i < NATIVE_MOST_PACKED; i++)
        room += b->packed[i].plane == NO_PLANE;
    for (unsigned i = 0; i < native_slots(b); i++) {
        if (b->slots[i].plane != NO_PLANE && !b->slots[i].wide && b->slots[i].dirty)
            return false;
        wanted += b->slots[i].plane != NO_PLANE;
    }
    for (unsigned i = 0; wanted <= room && i < native_slots(b); i++) {
        uint32_t plane = b->slots[i].plane;
        if (plane != NO_PLANE && b->slots[i].wide && eval_native_is_dead(b, plane) && eval_native_is_dead(b, plane + 1))
            b->slots[i].dirty = b->slots[i].doubtful = false;
        if (plane != NO_PLANE && (!b->slots[i].wide || !pack(b, i)))
            release(b, i);
    }
    return wanted <= room;
}

bool eval_native_is_dead(const struct native_builder *b, uint32_t plane)
{
    bool only_written = false;
    uint32_t next = eval_native_next_use(&b->uses, plane, b->at, &only_written);

    if (b->flow && eval_native_is_local(b, plane))
        return only_written || next >= b->section_end;
    if (b->flow || next < b->end)
        return only_written && !b->flow && !b->masked;
    return b->last && !b->kept[plane];
}

void eval_native_drop_local(struct native_builder *b)
{
    for (unsigned i = 0; i < native_slots(b); i++)
        if (b->slots[i].plane != NO_PLANE && eval_native_is_dead(b, b->slots[i].plane)) {
            b->slots[i].dirty = false;
            release(b, i);
        }
}

void eval_native_spill(struct native_builder *b)
{
    for (unsigned i = 0; i < native_slots(b); i++) {
        uint32_t plane = b->slots[i].plane;
        if (plane != NO_PLANE && !b->slots[i].wide && eval_native_is_dead(b, plane)) {
            b->slots[i].dirty = false;
            b->spilled[plane] = NANS_CANONICAL;
        }
        release(b, i);
    }
}

static void load(struct native_builder *b, unsigned slot, uint32_t plane, bool wide)
{
    if (wide && b->packed_at[plane])
        x86_vector(&b->code, X86_LOAD64, native_part(b, slot, 0), 0, eval_native_packed(b, b->packed_at[plane] - 1u), 0,
                   0);
    else if (wide)
        load_pair(b, native_part(b, slot, 0), plane);
    for (unsigned h = 0; !wide && h < native_parts(b); h++)
        x86_vector(&b->code, X86_LOAD, native_part(b, slot, h), 0, memory(b, plane, h), 0, 0);
    b->slots[slot].nans = wide ? (uint8_t)NANS_CANONICAL : b->spilled[plane];
}

/* ---- slots --------------------------------------------------------------------------------------------- */

/* How soon a plane is wanted again that step `next` uses. */
static uint32_t distance(const struct native_builder *b, uint32_t next)
{
    return next < b->end && next < b->at + LOOK_AHEAD ? next - b->at : LOOK_AHEAD;
}

static uint32_t next_use(const struct native_builder *b, uint32_t plane)
{
    bool only_written;

    return eval_native_next_use(&b->uses, plane, b->at, &only_written);
}

static unsigned free_slot(const struct native_builder *b)
{
    for (unsigned i = 0, n = native_slots(b); i < n; i++)
        if (b->slots[i].plane == NO_PLANE)
            return i;
    return NO_SLOT;
}

/* The slot of what is wanted last, and how far away that is. */
static unsigned idle_slot(struct native_builder *b, uint32_t *far)
{
    uint32_t clean = b->code.avx2 ? 2 * LOOK_AHEAD + 1 : 1;     /* what is in memory can be read there */
    unsigned best = NO_SLOT;

    *far = 0;
    for (unsigned i = 0, n = native_slots(b); i < n && *far < 2 * LOOK_AHEAD + clean; i++)
        if (!(b->pinned >> i & 1)) {
            struct native_slot *s = &b->slots[i];
            uint32_t d;
            if (s->next <= b->at)
                s->next = next_use(b, s->plane);
            d = distance(b, s->next) * 2 + (s->dirty ? 0 : clean);
            if (d > *far) {
                *far = d;
                best = i;
            }
        }
    return best;
}

/* `idle`: where it is known which one is wanted last; else NO_SLOT. */
static unsigned take_slot(struct native_builder *b, uint32_t plane, bool wide, unsigned idle)
{
    uint32_t far;
    unsigned slot = idle == NO_SLOT ? free_slot(b) : idle;

    if (slot == NO_SLOT)
        slot = idle_slot(b, &far);
    if (slot == NO_SLOT) {      /* an operation with more operands than there are slots: none is like that */
        b->code.failed = true;
        slot = 0;
    }
    if (b->slots[slot].plane == NO_PLANE || !b->slots[slot].wide || !pack(b, slot))
        release(b, slot);
    b->slots[slot] = (struct native_slot){.plane = plane, .wide = wide};
    b->slot_of[plane] = (uint8_t)slot;
    if (wide)
        b->slot_of[plane + 1] = (uint8_t)slot;
    return slot;
}

/* The slot that holds just this, or NO_SLOT. What holds a part of it, or more, goes to memory. */
static unsigned find(struct native_builder *b, uint32_t plane, bool wide)
{
    unsigned slot = b->slot_of[plane];

    for (unsigned i = 0; i <= (wide ? 1 : 0); i++)
        if (b->packed_at[plane + i] && (!wide || b->packed[b->packed_at[plane + i] - 1].plane != plane)) {
            if (slot != NO_SLOT && b->slots[slot].dirty)
                b->packed[b->packed_at[plane + i] - 1].dirty = false;
            unpack(b, b->packed_at[plane + i] - 1u);
        }
    if (slot != NO_SLOT && (b->slots[slot].wide != wide || b->slots[slot].plane != plane)) {
        release(b, slot);
        slot = NO_SLOT;
    }
    if (wide && slot == NO_SLOT && b->slot_of[plane + 1] != NO_SLOT)
        release(b, b->slot_of[plane + 1]);
    return slot;
}

/* A slot for what has none, in place of `idle` if that is one. */
static unsigned hold_new(struct native_builder *b, uint32_t plane, bool wide, bool loaded, unsigned idle)
{
    unsigned slot = take_slot(b, plane, wide, idle);

    if (loaded)
        load(b, slot, plane, wide);
    b->pinned |= 1u << slot;
    return slot;
}

/* The slot of a plane, which stays until the operation is done. */
static unsigned hold(struct native_builder *b, uint32_t plane, bool wide, bool loaded)
{
    unsigned slot = find(b, plane, wide);

    if (slot == NO_SLOT)
        return hold_new(b, plane, wide, loaded, NO_SLOT);
    b->pinned |= 1u << slot;
    return slot;
}

/* NaNs of a spilled plane that something reads behind the run. */
static bool canonicalise_memory(void *user, uint32_t plane, bool wide, bool written)
{
    struct native_builder *b = user;

    (void)wide;
    (void)written;
    if (b->spilled[plane] && !eval_native_is_dead(b, plane)) {
        unsigned slot = hold(b, plane, false, true);
        b->slots[slot].dirty = true;
        release(b, slot);
    }
    b->spilled[plane] = NANS_CANONICAL;
    return false;
}

void eval_native_release(struct native_builder *b)
{
    bool spills = b->spills;

    b->spills = false;
    b->pinned = 0;
    eval_native_wide_check(b);
    for (unsigned i = 0; i < NATIVE_MOST_PACKED; i++)
        if (b->packed[i].plane != NO_PLANE) {
            unsigned slot = b->slot_of[b->packed[i].plane];
            b->packed[i].dirty &= slot == NO_SLOT || !b->slots[slot].dirty;
            unpack(b, i);
        }
    eval_native_spill(b);
    for (uint32_t i = b->first; spills && i < b->end; i++)
        eval_native_planes(b, &b->x->steps[i], canonicalise_memory, b);
}

/* Whether it is better to read a plane where it is than to make room for it in place of `idle`. */
static bool better_in_memory(struct native_builder *b, uint32_t plane, unsigned *idle)
{
    uint32_t far;

    if (free_slot(b) != NO_SLOT)
        return false;
    if (b->code.avx2)
        return true;    /* registers are few: they are for results */
    *idle = idle_slot(b, &far);
    return far <= distance(b, next_use(b, plane)) * 2;
}

struct native_value eval_native_read(struct native_builder *b, uint32_t plane, bool wide, bool any_nan)
{
    struct native_value v = {.plane = plane, .slot = (uint8_t)find(b, plane, wide), .constant = b->constant[plane]};
    unsigned idle = NO_SLOT;

    if (v.slot == NO_SLOT && !wide &&
        (v.constant || ((any_nan || !b->spilled[plane]) && better_in_memory(b, plane, &idle))))
        return v;
    if (v.slot == NO_SLOT && wide && b->packed_at[plane] && better_in_memory(b, plane, &idle)) {
        v.packed = b->packed_at[plane];
        return v;
    }
    if (v.slot == NO_SLOT)
        v.slot = (uint8_t)hold_new(b, plane, wide, true, idle);
    else
        b->pinned |= 1u << v.slot;
    if (!any_nan)
        canonicalise(b, v.slot);
    return v;
}

struct x86_place eval_native_place(const struct native_builder *b, const struct native_value *v, unsigned part)
{
    struct x86_place place = memory(b, v->plane, part);

    if (v->slot != NO_SLOT)
        return x86_reg(native_part(b, v->slot, part));
    if (v->packed)
        return eval_native_packed(b, v->packed - 1u);
    if (v->constant)
        place.kind = X86_SPREAD;
    return place;
}

struct native_value eval_native_read_copied(struct native_builder *b, uint32_t plane, bool wide, bool under_mask,
                                            bool *any_nan)
{
    struct native_value v = eval_native_read(b, plane, wide, !b->masked || under_mask);

    *any_nan = (v.slot == NO_SLOT ? b->spilled[plane] : b->slots[v.slot].nans) != NANS_CANONICAL;
    return v;
}

void eval_native_wrote(struct native_builder *b, unsigned slot, bool any_nan, bool under_mask)
{
    struct native_slot *s = &b->slots[slot];
    bool merged = b->masked && under_mask;

    s->dirty = true;
    s->doubtful |= b->trusting && s->wide;
    if (any_nan)
        s->nans = merged && s->nans != NANS_ANY ? NANS_ANY_ACTIVE : NANS_ANY;
    else
        s->nans = NANS_CANONICAL;
}

/* Lanes that keep what they have keep the canonical NaN. */
unsigned eval_native_result(struct native_builder *b, uint32_t plane, bool wide, bool any_nan, bool under_mask)
{
    bool merged = b->masked && under_mask;
    unsigned slot = hold(b, plane, wide, merged);

    if (merged && !any_nan && b->slots[slot].nans == NANS_ANY)
        canonicalise(b, slot);
    return slot;
}

/* ---- where ways meet ----------------------------------------------------------------------------------- */

void eval_native_canonicalise(struct native_builder *b)
{
    for (unsigned i = 0; i < native_slots(b); i++)
        canonicalise(b, i);
}

void eval_native_conform(struct native_builder *b, const struct native_slot slots[])
{
    for (unsigned i = 0; i < native_slots(b); i++)
        if (b->slots[i].plane != slots[i].plane)
            release(b, i);
    for (unsigned i = 0; i < native_slots(b); i++)
        if (b->slots[i].plane != slots[i].plane) {
            b->slots[i] = (struct native_slot){.plane = slots[i].plane};
            b->slot_of[slots[i].plane] = (uint8_t)i;
            load(b, i, slots[i].plane, false);
        }
}

/* What a loop does with planes: those that it uses, in its order, and whether it writes them. */
struct usage {
    struct native_builder *b;
    uint32_t plane[NATIVE_MOST_SLOTS];
    bool written[NATIVE_MOST_SLOTS];
    unsigned n, most;
};

static bool note_use(void *user, uint32_t plane, bool wide, bool written)
{
    struct usage *u = user;
    unsigned i = 0;

    if (wide)
        note_use(user, plane + 1, false, written);
    if (u->b->constant[plane])
        return false;
    while (i < u->n && u->plane[i] != plane)
        i++;
    if (i == u->most)
        return false;
    if (i == u->n) {
        u->n++;
        u->plane[i] = plane;
        u->written[i] = false;
    }
    u->written[i] |= written;
    return false;
}

/* Of a longer loop its beginning says what it uses, and all that it uses counts as written: nested loops would be
 * looked at again and again. */
enum { MOST_LOOK = 1024 };

void eval_native_preload(struct native_builder *b, uint32_t first, uint32_t end)
{
    struct usage u = {.b = b, .most = native_slots(b) - 2};
    bool longer = end - first > MOST_LOOK;

    if (b->code.avx2)
        return;     /* nothing stays in registers */
    if (longer)
        end = first + MOST_LOOK;
    for (uint32_t i = first; i < end; i++)
        if (!eval_native_is_wide_alone(b, &b->x->steps[i])) /* that is a call, for which planes stand in memory */
            eval_native_planes(b, &b->x->steps[i], note_use, &u);
    for (unsigned i = 0; i < native_slots(b); i++) {
        bool used = false;
        for (unsigned k = 0; k < u.n; k++)
            used |= u.plane[k] == b->slots[i].plane;
        if (!used)
            release(b, i);
    }
    b->pinned = 0;
    for (unsigned k = 0; k < u.n; k++) {
        unsigned slot = hold(b, u.plane[k], false, true);
        b->slots[slot].dirty |= longer || u.written[k];
    }
}
