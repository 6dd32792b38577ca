// openapi.yaml as a judge of answers, which also remembers what of it was seen.
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDeepStrictEqual } from 'node:util';
import YAML from 'yaml';

// HTTP's own, which OpenAPI leaves out; Content-Type is a response's `content`.
const PLUMBING = ['connection', 'content-length', 'content-type', 'date', 'transfer-encoding'];

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace'];

// What is answered on paths that are not documented: the responses that all paths share, by status.
const ELSEWHERE = {
  400: 'MalformedHead', 404: 'NotFound', 408: 'UploadTooSlow', 413: 'BodyTooLarge', 414: 'UriTooLong',
  417: 'ExpectationFailed', 431: 'HeadTooLarge', 501: 'NotImplemented',
};

const isObject = (value) => value !== null && typeof value === 'object';

export class Document {
  constructor(text) {
    this.root = YAML.parse(text);
    this.ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(this.ajv);
    this.replaceReferences(this.root, new Set());
    this.closeObjects();
    this.seen = new Map(); // of each part of the document, what was seen of it
  }

  // Puts what is referred to in the place of the reference; the same object everywhere.
  replaceReferences(node, done) {
    if (done.has(node)) return;
    done.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (!isObject(value)) continue;
      node[key] = this.resolve(value);
      this.replaceReferences(node[key], done);
    }
  }

  resolve(node) {
    while (typeof node.$ref === 'string') {
      node = node.$ref.slice(2).split('/').reduce(
        (at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], this.root);
    }
    return node;
  }

  // The document lets later versions add members; this version may have none that it lacks.
  closeObjects() {
    const schemas = new Set();
    const bases = new Set();
    const walk = (node) => {
      if (schemas.has(node)) return;
      schemas.add(node);
      (node.allOf ?? []).forEach((base) => bases.add(base));
      Object.values(node).filter(isObject).forEach(walk);
    };
    walk(this.root.paths);
    walk(this.root.components);
    for (const schema of schemas) {
      const isClosable = (schema.type === 'object' && isObject(schema.properties)) || schema.allOf;
      if (isClosable && !bases.has(schema) && schema.additionalProperties === undefined)
        schema.unevaluatedProperties = false;
    }
  }

  operations() {
    return Object.entries(this.root.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method])
        .map((method) => ({ path, method: method.toUpperCase(), operation: item[method] })));
  }

  // Where an answer of that status is documented: the operation, if there is one, and the response.
  // A method that is not documented is looked for among the others of its path.
  placeOf(method, path, status) {
    const item = this.root.paths[path];
    if (item === undefined) {
      const shared = path === '*' && status === 204 ? 'Options' : ELSEWHERE[status];
      return shared && { response: this.root.components.responses[shared] };
    }
    const named = item[method === 'HEAD' ? 'get' : method.toLowerCase()];
    const operation = (named ? [named] : METHODS.map((m) => item[m])).find((o) => o?.responses[status]);
    return operation && { operation, response: operation.responses[status] };
  }

  note(part, what) {
    if (!this.seen.has(part)) this.seen.set(part, new Set());
    this.seen.get(part).add(what);
  }

  wasSeen(part, what) {
    return this.seen.get(part)?.has(what) ?? false;
  }

  conforms(schema, value) {
    return this.ajv.compile(schema)(value);
  }

  faultsOf(schema, value) {
    const validate = this.ajv.compile(schema);
    return validate(value) ? [] : [this.ajv.errorsText(validate.errors).slice(0, 600)];
  }

  // Notes which members and which values of an enum a value has.
  visit(schema, value) {
    for (const part of schema.allOf ?? []) this.visit(part, value);
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      if (this.conforms(part, value)) this.visit(part, value);
    if (schema.enum) this.note(schema, value);
    if (Array.isArray(value) && schema.items) value.forEach((item) => this.visit(schema.items, item));
    if (!isObject(value) || Array.isArray(value)) return;
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (!(name in value)) continue;
      this.note(schema, name);
      this.visit(member, value[name]);
    }
  }

  // All that is wrong with an answer.
  check(method, path, answer) {
    const place = this.placeOf(method, path, answer.status);
    if (place === undefined) return [`status ${answer.status} is not documented`];
    const { operation, response } = place;
    if (operation) this.note(operation, String(answer.status));
    return [...this.checkHeaders(response, answer.headers),
      ...this.checkBody(method, response, answer)];
  }

  checkHeaders(response, headers) {
    const faults = [];
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const text = headers[name.toLowerCase()];
      if (text === undefined) {
        if (header.required) faults.push(`the header ${name} is missing`);
        continue;
      }
      this.note(response, `header ${name}`);
      const { type, const: only } = header.schema;
      const value = type === 'integer' || typeof only === 'number' ? Number(text)
        : type === 'boolean' ? { true: true, false: false }[text] : text;
      faults.push(...this.faultsOf(header.schema, value).map((f) => `header ${name}: ${text}: ${f}`));
      this.visit(header.schema, value);
    }
    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    for (const name of Object.keys(headers))
      if (!known.includes(name) && !PLUMBING.includes(name))
        faults.push(`the header ${name} is not documented`);
    return faults;
  }

  checkBody(method, response, answer) {
    const type = answer.headers['content-type']?.split(';')[0];
    if (response.content === undefined)
      return answer.body.length + (type ? 1 : 0) > 0 ? ['has a body, but none is documented'] : [];
    const media = response.content[type];
    if (media === undefined) return [`the media type ${type} is not documented`];
    this.note(response, type);
    if (method === 'HEAD') return answer.body.length > 0 ? ['HEAD is answered with a body'] : [];
    let value;
    try {
      value = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
      if (type.endsWith('json') && type !== 'application/x-ndjson') value = JSON.parse(value);
    } catch (error) {
      return [String(error)];
    }
    this.note(response, { type, value });
    this.visit(media.schema, value);
    return [...this.faultsOf(media.schema, value), ...this.checkLines(media, value),
      ...this.checkProblem(type, value, answer)];
  }

  checkLines(media, value) {
    if (media['x-itemSchema'] === undefined) return [];
    if (!value.endsWith('\n')) return ['the last line has no end'];
    return value.slice(0, -1).split('\n').flatMap((line) => {
      this.visit(media['x-itemSchema'], JSON.parse(line));
      return this.faultsOf(media['x-itemSchema'], JSON.parse(line));
    });
  }

  checkProblem(type, value, answer) {
    if (type !== 'application/problem+json') return [];
    const faults = [];
    if (value.status !== answer.status) faults.push('the problem has another status');
    if (value.instance !== answer.headers['x-request-id'])
      faults.push('the problem has another instance than X-Request-Id');
    return faults;
  }

  // ---- What was documented and never seen ----

  exampleWasSeen(response, type, value) {
    return [...this.seen.get(response) ?? []].some((got) =>
      isObject(got) && got.type === type && isDeepStrictEqual(got.value, value));
  }

  // `spared` says of a problem's name whether it can't be provoked.
  unseen(spared) {
    const missing = [];
    const responses = new Map();
    for (const { path, method, operation } of this.operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const place = `${method} ${path} ${status}`;
        const schemas = Object.values(response.content ?? {}).flatMap((m) => m.schema.anyOf ?? [m.schema]);
        if (schemas.length > 0 && schemas.every((schema) => spared(schema.title))) continue;
        if (!this.wasSeen(operation, status)) missing.push(`${place}: never answered`);
        if (!responses.has(response)) responses.set(response, place);
      }
    }
    responses.set(this.root.components.responses.NotFound, 'other paths 404');
    for (const [response, place] of responses) missing.push(...this.unseenOf(response, place, spared));
    return [...missing, ...this.unseenMembers([...responses.keys()], spared)];
  }

  unseenOf(response, place, spared) {
    const missing = [];
    for (const name of Object.keys(response.headers ?? {}))
      if (!this.wasSeen(response, `header ${name}`)) missing.push(`${place}: header ${name}`);
    for (const [type, media] of Object.entries(response.content ?? {})) {
      if (!this.wasSeen(response, type)) missing.push(`${place}: ${type}`);
      for (const [name, { value }] of Object.entries(media.examples ?? {}))
        if (!this.exampleWasSeen(response, type, value) && !spared(value.type?.split('/').pop()))
          missing.push(`${place}: ${type}: the example ${name} was no answer`);
    }
    return missing;
  }

  unseenMembers(responses, spared) {
    const missing = [];
    const done = new Set();
    const bodies = responses.flatMap((response) => [...this.seen.get(response) ?? []]).filter(isObject);
    const walk = (schema, place) => {
      if (!isObject(schema) || done.has(schema) || spared(schema.title)) return;
      done.add(schema);
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        if (member !== false && !this.wasSeen(schema, name)) missing.push(`${place}: member ${name}`);
        walk(member, `${place}/${name}`);
      }
      for (const value of schema.enum ?? [])
        if (!this.wasSeen(schema, value)) missing.push(`${place}: value ${value}`);
      for (const value of schema.title && schema.examples ? schema.examples : [])
        if (!bodies.some((got) => isDeepStrictEqual(got.value, value)))
          missing.push(`${place}: ${schema.title}: an example was no answer`);
      for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
        walk(part, `${place}/${part.title ?? ''}`);
      walk(schema.items, `${place}/items`);
    };
    for (const response of responses) {
      const place = response.description.trim().split('\n')[0];
      for (const header of Object.values(response.headers ?? {})) walk(header.schema, `${place} header`);
      for (const media of Object.values(response.content ?? {})) {
        walk(media.schema, place);
        walk(media['x-itemSchema'], place);
      }
    }
    return missing;
  }
}
