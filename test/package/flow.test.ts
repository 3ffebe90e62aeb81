import { importsOf, list, read } from './support/files';

/**
 * The rooms of the code and whom each may import, besides itself: data flows from parameters to
 * requests to tasks to items, and nothing flows back. See docs/dev/architecture.md.
 */
const MAY_IMPORT: Record<string, string[]> = {
	lib: [],
	http: ['lib'],
	failure: ['lib', 'http'],
	services: ['lib', 'http', 'failure'],
	models: ['lib'],
	fields: ['lib', 'http', 'failure', 'services', 'models'],
	mp4: ['lib'],
	// Of one node alone.
	film: ['lib', 'mp4'],
	gemini: ['lib', 'http', 'failure', 'services'],
	n8n: ['lib', 'http', 'failure', 'services'],
	task: ['lib', 'http', 'failure', 'services', 'n8n'],
	durable: ['lib', 'http', 'failure', 'services', 'n8n', 'task', 'download'],
	download: ['lib', 'http', 'failure', 'services', 'n8n', 'task', 'mp4'],
	agent: ['lib', 'http', 'failure', 'services', 'n8n', 'task', 'download', 'mp4'],
	node: [
		...['lib', 'http', 'failure', 'services', 'models', 'fields', 'n8n', 'film', 'gemini'],
		...['task', 'durable', 'download', 'agent', 'mp4'],
	],
	credentials: ['services'],
};

/** These rooms never see n8n's context: they take plain arguments, so they run without n8n. */
const WITHOUT_CONTEXT = ['lib', 'failure', 'models', 'mp4', 'film', 'gemini'];

const sources = [...list('nodes'), ...list('credentials')].filter((file) => file.endsWith('.ts'));

function roomOf(file: string): string {
	const [top, folder, room, rest] = file.split('/');
	if (top === 'credentials') return top;
	if (folder === 'shared') return rest === undefined ? 'no room' : room;
	return rest === undefined ? 'node' : room;
}

/** The folder that a node's files share; other rooms are one folder each. */
const folderOf = (file: string) => file.split('/').slice(0, 2).join('/');

const imports = sources.flatMap((from) =>
	importsOf(from).map((to) => ({ from, to, own: /^(nodes|credentials)\//.test(to) })),
);
const show = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`;

describe('data flows one way', () => {
	it('every file is in a room', () => {
		expect(new Set(sources.map(roomOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
	});

	it.each(Object.keys(MAY_IMPORT))('%s imports only from rooms that it may enter', (room) => {
		const allowed = [room, ...MAY_IMPORT[room]];
		const against = imports.filter(
			({ from, to, own }) => own && roomOf(from) === room && !allowed.includes(roomOf(to)),
		);
		expect(against.map(show)).toEqual([]);
	});

	it('no node imports another node', () => {
		const across = imports.filter(
			({ from, to }) =>
				roomOf(from) === 'node' &&
				/^nodes\/(?!shared\/)/.test(to) &&
				folderOf(from) !== folderOf(to),
		);
		expect(across.map(show)).toEqual([]);
	});

	it('no import goes in a circle', () => {
		const onward = new Map(sources.map((file) => [file.replace(/\.ts$/, ''), importsOf(file)]));
		const done = new Set<string>();
		const visit = (file: string, trail: string[]): string[] => {
			if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
			if (done.has(file)) return [];
			for (const next of onward.get(file) ?? []) {
				const circle = visit(next, [...trail, file]);
				if (circle.length > 0) return circle;
			}
			done.add(file);
			return [];
		};
		expect([...onward.keys()].flatMap((file) => visit(file, []))).toEqual([]);
	});

	it('packages: only what every n8n has', () => {
		const foreign = imports.filter(({ own }) => !own).map(({ to }) => to);
		expect(new Set(foreign)).toEqual(new Set(['n8n-workflow', 'node:crypto']));
	});
});

const withoutComments = (code: string) => code.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');

it.each(WITHOUT_CONTEXT)("%s does not use n8n's context", (room) => {
	const knowing = sources.filter(
		(file) => roomOf(file) === room && /\bcontext\b/.test(withoutComments(read(file))),
	);
	expect(knowing).toEqual([]);
});

describe('one place for each thing', () => {
	const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)));

	it("only connection.ts calls n8n's HTTP helper, and a credential's test, which has another", () => {
		expect(filesWith(/\bhelpers\s*\.\s*\w*[rR]equest/)).toEqual([
			'nodes/shared/http/connection.ts',
			'nodes/shared/services/credentialTest.ts',
		]);
	});

	/** Files of the nodes, without their comments, in which a pattern stands. */
	const saying = (pattern: RegExp) =>
		sources.filter((file) => pattern.test(withoutComments(read(file))));
	const SERVICES = 'nodes/shared/services/';
	const isOwn = (file: string) =>
		new RegExp(`export (const|function) ${file.slice(SERVICES.length, -3)}(: Service|\\()`).test(
			read(file),
		);
	const OWN_FILES = list('nodes/shared/services')
		.filter(isOwn)
		.filter((file) => !/submit|fetch|upload/.test(file));

	it("a code of a service is a row of the table, or in the service's own file", () => {
		const codes = /task_not_exist|model_not_found|insufficient_|fail_to_fetch_task|budget_exceeded/;
		expect(saying(codes)).toEqual(['nodes/shared/failure/table.ts']);
	});

	it('a status that means no is in the table, where a submit asks for another way, or in such a file', () => {
		const status = /(?<![\w.#-])4(0[0-9]|1[0-7]|2[0-9]|3[0-9]|5[0-9]|99)(?![\w_.])(?! \*)/;
		const knowing = saying(status).filter((file) =>
			/shared.(failure|services|http)|gemini/.test(file),
		);
		const own = knowing.filter((file) => !OWN_FILES.includes(file));
		expect(own).toEqual([
			'nodes/GenerateContent/gemini/askText.ts',
			'nodes/shared/failure/reason.ts',
			'nodes/shared/failure/table.ts',
			`${SERVICES}submit.ts`,
		]);
	});

	it('no file but its own and the list names a service', () => {
		expect(OWN_FILES.length).toBeGreaterThan(6);
		const names = OWN_FILES.map((file) => file.slice(SERVICES.length, -3)).join('|');
		const naming = saying(new RegExp(`['"](${names})['"]`)).filter(
			(file) => !OWN_FILES.includes(file),
		);
		// The credential shows two fields for one of them alone.
		expect(naming).toEqual([`${SERVICES}list.ts`, 'credentials/VideoGenerationApi.credentials.ts']);
	});

	it("a node file brings to n8n's start nothing but its description", () => {
		for (const file of sources.filter((name) => name.endsWith('.node.ts'))) {
			const built = read(`dist/${file.replace(/ts$/, 'js')}`);
			const atOnce = [...built.matchAll(/^\S.* require\("(.+)"\)/gm)];
			const names = new Set(atOnce.map(([, name]) => name));
			const isLight = (from: string) => /shared.fields.(common|testCredential)$/.test(from);
			const others = [...names].filter((from) => !isLight(from));
			expect([file, others]).toEqual([file, ['n8n-workflow', './fields']]);
		}
	});
});
