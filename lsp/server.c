/* The server: what each message does. Messages are answered one after the other, in the order in which they come. */
#include "lsp/features.h"
#include "lsp/lsp.h"
#include "lsp/transport.h"

#include <string.h>

enum error_code {
    PARSE_ERROR = -32700, INVALID_REQUEST = -32600, METHOD_NOT_FOUND = -32601, INVALID_PARAMS = -32602,
    INTERNAL_ERROR = -32603, NOT_INITIALIZED = -32002
};

struct server {
    FILE *out;
    enum gp5_target target;
    struct document *documents;
    bool utf8, initialized, shut_down, done;
};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void send_result(struct server *s, json_t *id, json_t *result)
{
    lsp_write(s->out, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void send_error(struct server *s, json_t *id, enum error_code code, const char *message)
{
    lsp_write(s->out, json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error", "code", (int)code,
                                "message", message));
}

/* What is wrong with a document, or, of one that is closed (`d` NULL), nothing. */
static void publish(struct server *s, const char *uri, const struct document *d)
{
    json_t *list = d ? lsp_diagnostics(d, s->target) : json_array();
    json_t *parameters = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", list);

    if (parameters && d)
        json_object_set_new(parameters, "version", json_integer(d->version));
    lsp_write(s->out, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", "textDocument/publishDiagnostics",
                                "params", parameters));
}

/* ---- the session ------------------------------------------------------------------------------------------------- */

static bool offers_utf8(const json_t *parameters)
{
    json_t *general = json_object_get(json_object_get(parameters, "capabilities"), "general");
    json_t *encodings = json_object_get(general, "positionEncodings"), *one;
    size_t i;

    json_array_foreach(encodings, i, one)
        if (json_is_string(one) && !strcmp(json_string_value(one), "utf-8"))
            return true;
    return false;
}

static void choose_target(struct server *s, const json_t *parameters)
{
    static const char *const names[] = {"nvidia", "mesa", "spec", "gp5"};
    const char *word =
        json_string_value(json_object_get(json_object_get(parameters, "initializationOptions"), "target"));

    for (unsigned i = 0; word && i < sizeof names / sizeof *names; i++)
        if (!strcmp(word, names[i]))
            s->target = (enum gp5_target)i;
}

static json_t *initialize(struct server *s, const json_t *parameters)
{
    s->initialized = true;
    s->utf8 = offers_utf8(parameters);
    choose_target(s, parameters);
    return json_pack("{s:{s:s, s:s}, s:{s:s, s:{s:b, s:i}, s:b, s:{s:[s, s]}, s:b, s:b, s:b, s:{s:b}, s:b, s:b, "
                     "s:{s:[s]}}}",
                     "serverInfo", "name", "gp5", "version", gp5_version(), "capabilities", "positionEncoding",
                     s->utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 1, "hoverProvider", 1,
                     "completionProvider", "triggerCharacters", ".", " ", "definitionProvider", 1,
                     "referencesProvider", 1, "documentHighlightProvider", 1, "renameProvider", "prepareProvider", 1,
                     "documentSymbolProvider", 1, "documentFormattingProvider", 1, "codeActionProvider",
                     "codeActionKinds", "quickfix");
}

static const char *uri_of(const json_t *parameters)
{
    return json_string_value(json_object_get(json_object_get(parameters, "textDocument"), "uri"));
}

/* Opened, or changed: the last change has the whole text, as the server asks for. */
static void set_document(struct server *s, const json_t *parameters)
{
    const json_t *document = json_object_get(parameters, "textDocument");
    const json_t *changes = json_object_get(parameters, "contentChanges");
    const json_t *text = json_object_get(changes ? json_array_get(changes, json_array_size(changes) - 1) : document,
                                         "text");
    const char *uri = uri_of(parameters);

    if (uri && json_is_string(text) &&
        document_set(&s->documents, uri, json_string_value(text), json_string_length(text),
                     json_integer_value(json_object_get(document, "version")), s->utf8))
        publish(s, uri, document_find(s->documents, uri));
}

static void close_document(struct server *s, const json_t *parameters)
{
    const char *uri = uri_of(parameters);

    if (uri && document_find(s->documents, uri)) {
        publish(s, uri, NULL);
        document_close(&s->documents, uri);
    }
}

static void notify(struct server *s, const char *method, const json_t *parameters)
{
    if (!strcmp(method, "exit"))
        s->done = true;
    else if (!strcmp(method, "textDocument/didOpen") || !strcmp(method, "textDocument/didChange"))
        set_document(s, parameters);
    else if (!strcmp(method, "textDocument/didClose"))
        close_document(s, parameters);
}

/* ---- requests about a document ----------------------------------------------------------------------------------- */

enum wants { WHOLE, AT };       /* whether the request has a position */

/* What a request is answered from. */
struct question {
    const struct document *d;
    enum gp5_target target;
    size_t offset;              /* of its position */
    const json_t *parameters;
    const char *why;            /* set with no answer: what is wrong with the parameters; else memory ran out */
};

static json_t *hover(struct question *q)
{
    return lsp_hover(q->d, q->offset);
}

static json_t *complete(struct question *q)
{
    return lsp_complete(q->d, q->offset);
}

static json_t *definition(struct question *q)
{
    return lsp_definition(q->d, q->offset);
}

static json_t *references(struct question *q)
{
    const json_t *context = json_object_get(q->parameters, "context");
    return lsp_references(q->d, q->offset, json_is_true(json_object_get(context, "includeDeclaration")));
}

static json_t *highlights(struct question *q)
{
    return lsp_highlights(q->d, q->offset);
}

static json_t *can_rename(struct question *q)
{
    return lsp_can_rename(q->d, q->offset);
}

static json_t *rename_symbol(struct question *q)
{
    const char *name = json_string_value(json_object_get(q->parameters, "newName"));

    if (name)
        return lsp_rename(q->d, q->offset, name, &q->why);
    q->why = "newName is missing";
    return NULL;
}

static json_t *symbols(struct question *q)
{
    return lsp_symbols(q->d);
}

static json_t *format(struct question *q)
{
    return lsp_format(q->d);
}

static json_t *actions(struct question *q)
{
    const json_t *range = json_object_get(q->parameters, "range");
    size_t from = document_offset(q->d, json_object_get(range, "start"));
    size_t to = document_offset(q->d, json_object_get(range, "end"));

    if (from != SIZE_MAX && to != SIZE_MAX)
        return lsp_actions(q->d, q->target, from, to);
    q->why = "no range";
    return NULL;
}

static const struct request {
    const char *method;
    enum wants wants;
    json_t *(*answer)(struct question *q);
} requests[] = {
    {"textDocument/hover", AT, hover},
    {"textDocument/completion", AT, complete},
    {"textDocument/definition", AT, definition},
    {"textDocument/references", AT, references},
    {"textDocument/documentHighlight", AT, highlights},
    {"textDocument/prepareRename", AT, can_rename},
    {"textDocument/rename", AT, rename_symbol},
    {"textDocument/documentSymbol", WHOLE, symbols},
    {"textDocument/formatting", WHOLE, format},
    {"textDocument/codeAction", WHOLE, actions},
};

static const struct request *find_request(const char *method)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (!strcmp(method, requests[i].method))
            return &requests[i];
    return NULL;
}

static void ask_document(struct server *s, json_t *id, const char *method, const json_t *parameters)
{
    const struct request *request = find_request(method);
    const char *uri = uri_of(parameters);
    struct question q = {.d = uri ? document_find(s->documents, uri) : NULL, .target = s->target,
                         .parameters = parameters};
    json_t *result;

    if (!request) {
        send_error(s, id, METHOD_NOT_FOUND, "gp5 has no such method");
        return;
    }
    if (q.d && request->wants == AT)
        q.offset = document_offset(q.d, json_object_get(parameters, "position"));
    if (!q.d || q.offset == SIZE_MAX) {
        send_error(s, id, INVALID_PARAMS, q.d ? "no position" : "no document of that name is open");
        return;
    }
    result = request->answer(&q);
    if (result)
        send_result(s, id, result);
    else if (q.why)
        send_error(s, id, INVALID_PARAMS, q.why);
    else
        send_error(s, id, INTERNAL_ERROR, "out of memory");
}

static void ask(struct server *s, json_t *id, const char *method, const json_t *parameters)
{
    if (!strcmp(method, "initialize"))
        send_result(s, id, initialize(s, parameters));
    else if (!s->initialized)
        send_error(s, id, NOT_INITIALIZED, "the first request is initialize");
    else if (s->shut_down)
        send_error(s, id, INVALID_REQUEST, "the server was shut down");
    else if (!strcmp(method, "shutdown")) {
        s->shut_down = true;
        send_result(s, id, json_null());
    } else {
        ask_document(s, id, method, parameters);
    }
}

static void take(struct server *s, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    json_t *id = json_object_get(message, "id");

    if (method && id)
        ask(s, id, method, json_object_get(message, "params"));
    else if (method)
        notify(s, method, json_object_get(message, "params"));
    else if (!json_object_get(message, "result") && !json_object_get(message, "error"))
        send_error(s, id ? id : json_null(), INVALID_REQUEST, "this is no request");
}

int lsp_serve(FILE *in, FILE *out, enum gp5_target target)
{
    struct server s = {.out = out, .target = target};
    enum lsp_read read = LSP_MESSAGE;
    json_t *message;

    while (!s.done && (read = lsp_read(in, &message)) != LSP_END) {
        if (read == LSP_NO_JSON)
            send_error(&s, json_null(), PARSE_ERROR, "this is no JSON");
        else
            take(&s, message);
        json_decref(message);
    }
    document_close_all(&s.documents);
    return s.shut_down ? 0 : 1;
}
