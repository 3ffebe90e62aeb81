import { differsFromContract } from '../../sandbox/check';
import { check, named, ordering, seenOf } from './support/check';
import { startHostile } from './support/hostile';

// A submit that may have been accepted is the last thing posted; a record that never came is told.

type Answer = Parameters<typeof startHostile>[0];
let server: Awaited<ReturnType<typeof startHostile>> | undefined;
afterEach(async () => await server?.close());

const answering =
	(status: number, text: string, headers = {}): Answer =>
	(_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(text);
	};
const refuse = answering(400, '{"code":"no","message":"no"}');
const posts = () => server!.requests.filter(({ method }) => method === 'POST');

describe.each<[string, Answer]>([
	['200 without an ID', answering(200, '{"ok":true}')],
	['200 that calls itself overloaded', answering(200, '{"code":"overloaded"}')],
	['202 without anything', answering(202, '')],
	['an ID further inside', answering(200, '{"data":{"task":{"id":"a"}}}')],
	['an ID in a list', answering(200, '[{"task_id":"a"}]')],
	['a redirect', answering(307, '', { location: 'http://127.0.0.1:9/' })],
	['a page of a proxy', answering(502, '<html>', { 'content-type': 'text/html' })],
	['no answer', () => undefined],
	['a connection that ends', (request) => void request.socket.destroy()],
])('a submit that is answered with %s', (_name, answer) => {
	it.each([['{}'], ['{"model"']])('to %s', async (body) => {
		server = await startHostile((request, response) =>
			request.method === 'POST' && request.body.startsWith(body)
				? answer(request, response)
				: refuse(request, response),
		);
		const result = await check(server, { timeoutMs: 300, ...ordering('a-model') });
		expect(posts()).toHaveLength(body === '{}' ? 1 : 3);
		expect(result.said[0]).toContain('may have accepted a submit without a prompt');
		const row = body === '{}' ? 'Wrong key, submit' : 'Submit without prompt';
		expect(named(result, 'differs')).toContain(row);
		expect(seenOf(result, row)).toContain('ACCEPTED');
		expect(seenOf(result, 'Submit')).toContain('nothing was ordered');
		expect(differsFromContract(result.rows)).toBe(true);
	});
});

it.each(['null', '{"data":[1]}', '{"data":{"status":5}}'])(
	'a render whose record is always %s breaks the contract',
	async (text) => {
		server = await startHostile((request, response) => {
			const isOrdered = request.url!.includes('task_paid');
			const isOrder = request.body.includes('"prompt"');
			if (isOrder) return answering(200, '{"task_id":"task_paid"}')(request, response);
			return (isOrdered ? answering(200, text) : refuse)(request, response);
		});
		const result = await check(server, { ...ordering('a-model'), waitMs: 0 });
		expect(named(result, 'differs')).toEqual(expect.arrayContaining(['Record', 'States', 'End']));
		expect(seenOf(result, 'End')).toContain('no record came in 1 poll');
	},
);
