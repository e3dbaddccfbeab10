/* Tokens to a program, by the shape of statements and not by opcode: the scanner says which shape an opcode has, the
 * actions (parser/) store what was read, and asm/check/check.c judges it afterwards.
 *
 * There are no conflicts, and none may be added: write precedence or another rule and leave %expect at 0. All
 * recursion is to the left, so that the stack stays small whatever the text is. */

%define api.pure full
%define api.prefix {gp5_yy}
%define api.value.type {struct token}
%define parse.error custom
%param {struct parser *p}
%expect 0

%code requires {
#include "parser/context.h"
}

%code {
static int gp5_yylex(struct token *token, struct parser *p)
{
    if (p->resume) {
        lexer_resume(p);
        token->offset = p->token.offset;
        token->length = 0;
        return ';';
    }
    return lexer_next(token, p->scanner);
}
static void gp5_yyerror(struct parser *p, const char *message);

#define YYMALLOC gp5_malloc
#define YYFREE gp5_free
}

%token OP_R0 OP_R1 OP_R2 OP_R3 OP_RX OP_N0 OP_N1 OP_N2 OP_NX OP_SWIZZLE OP_TEST OP_IF_ OP_REPEAT OP_CALL
%token OP_CALL_INDIRECT OP_KILL
%token OPTION END TEMP DECLARE_ONE DECLARE_LOCAL ALIAS SUBROUTINE SUBROUTINETYPE GROUP_SIZE SHARED_MEMORY PREFIX
%token STAGE_WORD STAGE_NUMBER STAGE_FLAG STAGE_RESULT
%token PLAIN
%token LABEL WORD SUFFIX ELEMENT VECTOR INTEGER HEX FLOAT_NUMBER BAD_NUMBER DOTS BAD_BYTE

%token ',' "','" ';' "';'" ':' "':'" '.' "'.'" '=' "'='" '[' "'['" ']' "']'" '{' "'{'" '}' "'}'" '(' "'('" ')' "')'"
%token '|' "'|'" '+' "'+'" '-' "'-'"

%start program

%%

program
    : end after_end
    | statements
    ;

end
    : statements END                        { p->end = (struct span){$2.offset, $2.length}; statement_end(p); }
    ;

after_end
    : %empty
    | after_end error                       { YYACCEPT; }
    ;

/* Nearly all statements are plain, or of the three shapes behind: these cost one reduction. */
statements
    : %empty
    | statements PLAIN                      { statement_plain(p); }
    | statements OP_R1 result ',' operand ';'                           { statement_instruction(p); }
    | statements OP_R2 result ',' operand ',' operand ';'               { statement_instruction(p); }
    | statements OP_R3 result ',' operand ',' operand ',' operand ';'   { statement_instruction(p); }
    | statements declared ';'                                           { declare_end(p); }
    | statements statement
    ;

statement
    : instruction ';'                       { statement_instruction(p); }
    | prefixed ';'                          { declare_end(p); }
    | option ';'                            { statement_option(p, $1); }
    | GROUP_SIZE int ';'                    { statement_group_size(p, 1, (struct token[]){$2}); }
    | GROUP_SIZE int int ';'                { statement_group_size(p, 2, (struct token[]){$2, $3}); }
    | GROUP_SIZE int int int ';'            { statement_group_size(p, 3, (struct token[]){$2, $3, $4}); }
    | SHARED_MEMORY int ';'                 { statement_shared_memory(p, $2); }
    | STAGE_WORD WORD ';'                   { statement_stage(p, $1, &$2, false); }
    | STAGE_NUMBER int ';'                  { statement_stage(p, $1, &$2, false); }
    | STAGE_NUMBER '-' int ';'              { statement_stage(p, $1, &$3, true); }
    | STAGE_FLAG ';'                        { statement_stage(p, $1, NULL, false); }
    | STAGE_RESULT any_path ';'             { statement_passthrough(p, $1); }
    | LABEL ':'                             { statement_label(p, $1, NULL); }
    | LABEL WORD '(' int ')' ':'            { statement_label(p, $1, &$4); }
    | error ';'                             { yyerrok; statement_broken(p); }
    | error PLAIN                           { yyerrok; statement_broken(p); }
    ;

option
    : OPTION WORD                           { $$ = p->option_name = $2; }
    ;

int : INTEGER | HEX ;

/* ---- instructions ------------------------------------------------------------------------------------------------ */

instruction
    : OP_R0 result
    | OP_R0 modifiers result
    | OP_RX result ',' arguments
    | OP_R1 modifiers result ',' operand
    | OP_R2 modifiers result ',' operand ',' operand
    | OP_R3 modifiers result ',' operand ',' operand ',' operand
    | OP_RX modifiers result ',' arguments
    | OP_N0 modifiers
    | OP_N1 modifiers operand
    | OP_N2 modifiers operand ',' operand
    | OP_NX modifiers arguments
    | OP_REPEAT modifiers
    | OP_REPEAT modifiers operand
    | OP_N0
    | OP_N1 operand
    | OP_N2 operand ',' operand
    | OP_NX arguments
    | OP_SWIZZLE result ',' operand ',' select ',' select ',' select ',' select
    | OP_TEST
    | OP_TEST test
    | OP_IF_ bare_test
    | OP_REPEAT
    | OP_REPEAT operand
    | OP_CALL callee
    | OP_CALL callee test
    | OP_CALL_INDIRECT operand
    | OP_CALL_INDIRECT operand test
    | OP_KILL operand
    ;

/* Behind a space: those without are part of the opcode's word. */
modifiers
    : SUFFIX                                { statement_more_modifiers(p, $1); }
    | modifiers SUFFIX                      { statement_more_modifiers(p, $2); }
    ;

callee
    : WORD                                  { declare_label_reference(p, $1); }
    ;

test
    : '(' WORD ')'                          { condition_set(p, &p->insn->condition, $2, NULL, true); }
    | '(' WORD SUFFIX ')'                   { condition_set(p, &p->insn->condition, $2, &$3, true); }
    ;

bare_test
    : WORD                                  { condition_set(p, &p->insn->condition, $1, NULL, false); }
    | WORD SUFFIX                           { condition_set(p, &p->insn->condition, $1, &$2, false); }
    ;

result
    : WORD                                  { path_begin(p, $1); result_path(p); }
    | ELEMENT                               { path_element(p, $1); result_path(p); }
    | path                                  { result_path(p); }
    | any_path '(' WORD ')'                 { result_path(p); result_condition(p, $3, NULL); }
    | any_path '(' WORD SUFFIX ')'          { result_path(p); result_condition(p, $3, &$4); }
    ;

/* What textures and images take: operands, handles, offsets and targets, in an order that asm/check/check.c knows. */
arguments
    : argument
    | arguments ',' argument
    ;

argument
    : operand
    | handle
    | handle SUFFIX                         { operand_gather(p, $2); }
    | '(' texel_offsets ')'
    ;

handle
    : WORD '(' any_path ')'                 { operand_handle(p, $1); }
    | WORD '(' constant ')'                 { operand_handle(p, $1); }
    ;

texel_offsets
    : texel_offset
    | texel_offsets ',' texel_offset
    ;

texel_offset
    : int                                   { operand_texture_offset(p, $1, false); }
    | '+' int                               { operand_texture_offset(p, $2, false); }
    | '-' int                               { operand_texture_offset(p, $2, true); }
    ;

operand
    : WORD                                  { path_begin(p, $1); operand_path(p, 0, $1.offset); }
    | ELEMENT                               { path_element(p, $1); operand_path(p, 0, $1.offset); }
    | path                                  { operand_path(p, 0, $1.offset); }
    | constant                              { operand_constant(p, 0, $1.offset); }
    | sign any_path                         { operand_path(p, p->flags, $1.offset); }
    | sign constant                         { operand_constant(p, p->flags, $1.offset); }
    | bar any_path '|'                      { operand_path(p, p->flags, $1.offset); }
    | bar constant '|'                      { operand_constant(p, p->flags, $1.offset); }
    ;

sign
    : '-'                                   { p->flags = OPND_NEGATE; }
    | '+'                                   { p->flags = OPND_PLUS; }
    ;

bar
    : bare_bar
    | bare_bar '-'                          { p->flags |= OPND_NEGATE_INNER; }
    | bare_bar '+'
    ;

bare_bar
    : '|'                                   { p->flags = OPND_ABSOLUTE; }
    | sign '|'                              { p->flags |= OPND_ABSOLUTE; }
    ;

constant
    : VECTOR                                { constant_vector(p, $1); }
    | vector                                { p->suffix.length = 0; }
    | vector SUFFIX                         { parse_suffix(p, $2); }
    | number                                { p->suffix.length = 0; }
    | number SUFFIX                         { parse_suffix(p, $2); }
    ;

number
    : any_number                            { constant_begin(p, $1, true); constant_add(p, $1, 0); }
    ;

vector
    : open_brace numbers '}'                { constant_close(p, $3); }
    ;

numbers
    : signed_number
    | numbers ',' signed_number
    ;

open_brace
    : '{'                                   { constant_begin(p, $1, false); }
    ;

signed_number
    : any_number                            { constant_add(p, $1, 0); }
    | '-' any_number                        { constant_add(p, $2, '-'); }
    | '+' any_number                        { constant_add(p, $2, '+'); }
    | WORD                                  { constant_word(p, $1, 0); }
    | '-' WORD                              { constant_word(p, $2, '-'); }
    | '+' WORD                              { constant_word(p, $2, '+'); }
    ;

any_number : INTEGER | HEX | FLOAT_NUMBER ;

/* What stands here before an array is what bison reduces when an error follows. */
assigned
    : '=' WORD                              { path_begin(p, $2); declare_path(p); }
    | '=' ELEMENT                           { path_element(p, $2); declare_path(p); }
    | '=' path                              { declare_path(p); }
    | '=' signed_item                       { declare_constant(p); }
    | '=' VECTOR                            { declare_vector(p, $2, true); }
    | '=' open_list bindings '}'            { declare_close(p, $2, $4); }
    ;

/* What names something. Nearly all are one token; the rest is put together from words and indices. */
any_path
    : WORD                                  { path_begin(p, $1); }
    | ELEMENT                               { path_element(p, $1); }
    | path
    ;

path
    : WORD SUFFIX                           { path_begin(p, $1); path_suffix(p, $2); }
    | ELEMENT SUFFIX                        { path_element(p, $1); path_suffix(p, $2); }
    | path SUFFIX                           { path_suffix(p, $2); }
    | array '[' index ']'                   { path_add_index(p, $2, $4); }
    | array '[' ']'                         { path_add_empty(p, $2, $3); }
    | array '[' int DOTS int ']'            { path_add_range(p, $3, $5, $2, $6); }
    ;

array
    : WORD                                  { path_begin(p, $1); }
    | ELEMENT                               { path_element(p, $1); }
    | path
    ;

index
    : int                                   { index_constant(p, $1); }
    | index_register
    | index_register '+' int                { index_offset(p, $3, false); }
    | index_register '-' int                { index_offset(p, $3, true); }
    ;

index_register
    : WORD                                  { index_register(p, $1, NULL, NULL); }
    | WORD SUFFIX                           { index_register(p, $1, NULL, &$2); }
    | ELEMENT                               { index_element(p, $1); }
    | WORD '[' int ']'                      { index_register(p, $1, &$3, NULL); }
    | WORD '[' int ']' SUFFIX               { index_register(p, $1, &$3, &$5); }
    ;

select
    : INTEGER                               { operand_select(p, $1, false); }
    | WORD                                  { operand_select(p, $1, false); }
    | '+' INTEGER                           { operand_select(p, $2, false); }
    | '+' WORD                              { operand_select(p, $2, false); }
    | '-' INTEGER                           { operand_select(p, $2, true); }
    | '-' WORD                              { operand_select(p, $2, true); }
    ;

/* ---- declarations ------------------------------------------------------------------------------------------------ */

prefixed
    : prefixes declared
    | ALIAS WORD '=' WORD                   { declare_alias(p, $2, $4); }
    | SUBROUTINETYPE WORD '{' '}'                   { declare_subroutine_type(p, $2); }
    | SUBROUTINETYPE WORD '{' label_names '}'       { declare_subroutine_type(p, $2); }
    | SUBROUTINE WORD subroutine_name assigned      { declare_subroutine(p, $2); }
    ;

prefixes
    : PREFIX                                { declare_prefix(p, $1); }
    | prefixes PREFIX                       { declare_prefix(p, $2); }
    ;

declared
    : temp names
    | one new_name assigned
    | local new_name
    | local new_name assigned
    ;

temp : TEMP                                 { declare_begin(p, $1); } ;
one : DECLARE_ONE                           { declare_begin(p, $1); } ;
local : DECLARE_LOCAL                       { declare_begin(p, $1); } ;

names
    : new_name
    | names ',' new_name
    ;

new_name
    : WORD                                  { declare_name(p, $1); }
    | ELEMENT                               { declare_element(p, $1, false); }
    | new_name '[' ']'                      { declare_array(p, NULL); }
    | new_name '[' int ']'                  { declare_array(p, &$3); }
    ;

subroutine_name
    : WORD                                  { declare_subroutine_name(p, $1); }
    | ELEMENT                               { declare_element(p, $1, true); }
    | subroutine_name '[' ']'               { declare_array(p, NULL); }
    | subroutine_name '[' int ']'           { declare_array(p, &$3); }
    ;

label_names
    : WORD                                  { declare_label_reference(p, $1); }
    | label_names ',' WORD                  { declare_label_reference(p, $3); }
    ;

open_list : '{'                             { declare_open(p); } ;

bindings
    : item
    | bindings ',' item
    ;

item
    : binding
    | vector                                { declare_constant(p); }
    | VECTOR                                { declare_vector(p, $1, false); }
    ;

binding
    : WORD                                  { path_begin(p, $1); declare_path(p); }
    | ELEMENT                               { path_element(p, $1); declare_path(p); }
    | path                                  { declare_path(p); }
    | signed_item                           { declare_constant(p); }
    ;

signed_item
    : any_number                            { constant_begin(p, $1, true); constant_add(p, $1, 0); }
    | '-' any_number                        { constant_begin(p, $1, true); constant_add(p, $2, '-'); }
    | '+' any_number                        { constant_begin(p, $1, true); constant_add(p, $2, '+'); }
    ;

%%

static void gp5_yyerror(struct parser *p, const char *message)
{
    (void)message;      /* only "memory exhausted" comes here: the rest is reported below */
    p->failed = true;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
    enum { MOST = 16 };
    yysymbol_kind_t expected[MOST];
    int count = yypcontext_expected_tokens(context, expected, MOST);
    if (count < 0)
        return count;
    const char *names[MOST];
    for (int i = 0; i < count; i++)
        names[i] = yysymbol_name(expected[i]);
    parse_syntax_error(p, yypcontext_token(context) == YYSYMBOL_BAD_NUMBER, names, (size_t)count);
    return 0;
}
