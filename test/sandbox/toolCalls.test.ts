import { GoogleGenAI, type Content } from '@google/genai';
import { createSandbox, type Plan, type Sandbox } from '../../sandbox/service';
import { prompt, TEXT_MODEL } from './support/client';

// A model that calls tools, as an agent meets it.

let sandbox: Sandbox;
let ai: GoogleGenAI;
beforeAll(async () => {
	sandbox = await createSandbox();
	ai = new GoogleGenAI({ apiKey: 'sandbox-key', httpOptions: { baseUrl: sandbox.url } });
});
afterAll(async () => await sandbox.close());

const plan: Plan = {
	calls: [
		[{ name: 'make', args: { prompt: 'A boat' } }, { name: 'make' }],
		[{ name: 'look', args: { first: 'told:task_id:0', last: 'told:task_id', n: 1 } }],
	],
	says: 'Both are there.',
};
const asked: Content = { role: 'user', parts: [{ text: prompt('Make two', plan) }] };
const call = (name: string): Content => ({ role: 'model', parts: [{ functionCall: { name } }] });
const answer = (name: string, result: string): Content => ({
	role: 'user',
	parts: [{ functionResponse: { name, response: { result } } }],
});
const next = async (...since: Content[]) =>
	await ai.models.generateContent({ model: TEXT_MODEL, contents: [asked, ...since] });

it('calls the tools of a turn at once', async () => {
	expect((await next()).functionCalls).toEqual([
		{ name: 'make', args: { prompt: 'A boat' } },
		{ name: 'make', args: {} },
	]);
});

const made = [
	call('make'),
	answer('make', '[{"task_id":"a"}]'),
	call('make'),
	answer('make', '[{"more":{"task_id":"b"}}]'),
];

it('goes on with what they have told it, also where each call comes back alone', async () => {
	const args = { first: 'a', last: 'b', n: 1 };
	expect((await next(...made)).functionCalls).toEqual([{ name: 'look', args }]);
});

it('has only words left in the end', async () => {
	const { functionCalls, text } = await next(...made, call('look'), answer('look', 'not [JSON'));
	expect([functionCalls, text]).toEqual([undefined, 'Both are there.']);
});

it('calls them in a stream, too', async () => {
	const chunks = await ai.models.generateContentStream({ model: TEXT_MODEL, contents: [asked] });
	const names = [];
	for await (const { functionCalls = [] } of chunks) names.push(...functionCalls);
	expect(names.map(({ name }) => name)).toEqual(['make', 'make']);
});
