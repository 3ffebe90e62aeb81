import type { IDataObject } from 'n8n-workflow';

import { videoGenerateFields } from '../../../../nodes/VideoGenerate/fields';
import { createReader } from '../../../../nodes/shared/n8n/reader';
import {
	isSameAsked,
	NOT_ASKED,
	toAsked,
	toRequestHash,
} from '../../../../nodes/shared/task/asked';
import { openWorld } from './support/world';

const model = { __rl: true, mode: 'list', value: 'veo' };
const typed: IDataObject = { model, prompt: 'A boat', wait: 'inProcess', options: {} };

/** What an item asks for by parameters that are typed so; `values` are what their expressions give. */
function asked(
	more: IDataObject = {},
	values?: IDataObject,
	json: IDataObject = {},
	forAgent = false,
) {
	const all = { ...typed, ...more };
	const node = { fields: videoGenerateFields, parameters: [{ ...all, model: 'veo', ...values }] };
	const run = { ...openWorld({ forAgent, node }).run, ...{ parameters: all, items: [{ json }] } };
	return toAsked(run, 0, values && createReader(run, 0));
}

const MOVING = { prompt: '={{ $now }} {{ $json.prompt }}' };
const TYPED = asked({ prompt: '={{ "a" }}' }, { prompt: 'a' });
const BY_ID = { ...model, mode: 'id', cachedResultName: 'Veo' };

it.each<[same: boolean, how: string, ReturnType<typeof asked>, ReturnType<typeof asked>]>([
	[false, 'other words', asked(), asked({ prompt: 'A car' })],
	[
		true,
		'an expression that moves',
		asked(MOVING, { prompt: '1' }),
		asked(MOVING, { prompt: '2' }),
	],
	[true, 'the same value', TYPED, asked({ prompt: 'a' }, { prompt: 'a' })],
	[false, 'another value in other words', asked(MOVING, { prompt: '1' }), TYPED],
	[false, 'an option more', asked(), asked({ options: { seed: 7 } })],
	[true, 'a model chosen in another way', asked(), asked({ model: BY_ID })],
	[true, 'another wait', asked(), asked({ wait: 'durable', options: { maxWait: 9 } })],
])('two jobs ask for the same: %p, by %s', (same, _how, one, other) => {
	expect([isSameAsked(one, other), isSameAsked(other, one)]).toEqual([same, same]);
});

describe('two jobs ask for', () => {
	it('the same by the request, whatever was edited, and the seed does not count', () => {
		const request = (fields: IDataObject) => ({
			...asked(fields),
			request: toRequestHash({ model: 'm', prompt: 'p', metadata: { seed: fields.seed } }),
		});
		expect(isSameAsked(request({ seed: 1 }), request({ seed: 2 }))).toBe(true);
		expect(toRequestHash({ prompt: 'p' })).not.toBe(toRequestHash({ prompt: 'q' }));
	});

	it('a picture by its beginning and its length', () => {
		const picture = (text: string) => toRequestHash({ image: text });
		expect(picture('a'.repeat(20_000))).toBe(picture(`${'a'.repeat(19_999)}b`));
		expect(picture('a'.repeat(20_000))).not.toBe(picture('a'.repeat(20_001)));
		expect(picture('b'.repeat(20_000))).not.toBe(picture('a'.repeat(20_000)));
	});

	it("what an agent's model has filled in, in whatever order", () => {
		const call = (json: IDataObject) =>
			asked({ prompt: "={{ $fromAI('prompt') }}" }, {}, json, true);
		const one = call({ prompt: 'a', size: 1, toolCallId: 'x' });
		expect(isSameAsked(one, call({ size: 1, prompt: 'a', toolCallId: 'y' }))).toBe(true);
		expect(isSameAsked(one, call({ prompt: 'b', size: 1 }))).toBe(false);
	});
});

it('each name that does not count is that of a parameter or an option', () => {
	const options = videoGenerateFields.find(({ name }) => name === 'options')!.options!;
	const names = [...videoGenerateFields, ...options].map(({ name }) => name);
	expect(NOT_ASKED.filter((name) => !names.includes(name))).toEqual([]);
});
