import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { videoGenerateFields } from '../../../../nodes/VideoGenerate/fields';
import { FAMILY_OPTIONS } from '../../../../nodes/shared/family/family';
import { toWish } from '../../../../nodes/shared/task/wish';

const item: INodeExecutionData = { json: { n: 1 } };
const parameters = {
	model: { mode: 'list', value: 'veo' },
	prompt: '={{ $now }}',
	wait: 'inProcess',
	options: { seed: '={{ Math.random() }}', maxWait: 30 },
};
const wish = (more: IDataObject = {}, of = item) => toWish({ ...parameters, ...more }, of);

describe('toWish', () => {
	it.each([
		['the way of waiting', { wait: 'durable' }],
		['what the item holds', { simplify: false, downloadVideo: true }],
		['an option of waiting', { options: { ...parameters.options, maxWait: 60, reuseTask: false } }],
		['an option of the download', { options: { ...parameters.options, maxSize: 900 } }],
		[
			'what a run may spend, and what goes along',
			{ options: { ...parameters.options, dryRun: true, maxVideos: 1, includeOtherFields: true } },
		],
		[
			'where a video may come from',
			{ options: { ...parameters.options, allowPrivateAddresses: true } },
		],
		['the order of the options', { options: { maxWait: 30, seed: parameters.options.seed } }],
	])('does not change with %s', (_name, more) => expect(wish(more)).toBe(wish()));

	it('changes with the options that say what to render, and with no other', () => {
		const { options = [] } = videoGenerateFields.find(({ name }) => name === 'options')!;
		const changing = options
			.map(({ name }) => name)
			.filter((name) => wish({ options: { ...parameters.options, [name]: 'x' } }) !== wish());
		const rendered = [...FAMILY_OPTIONS, 'extraFields', 'metadata', 'modelFamily'];
		expect(changing.sort()).toEqual(rendered.sort());
	});

	it.each([
		['the prompt', { prompt: 'p' }],
		['the model', { model: { mode: 'list', value: 'sora' } }],
		['an option of the video', { options: { seed: 1, maxWait: 30 } }],
		['an option less', { options: { maxWait: 30 } }],
	])('changes with %s', (_name, more) => expect(wish(more)).not.toBe(wish()));

	it('changes with the incoming item and its files', () => {
		const file = (id: string) => ({
			...item,
			binary: { data: { mimeType: 'image/png', data: '', id } },
		});
		const wishes = [item, { json: { n: 2 } }, file('a'), file('b')].map((of) => wish({}, of));
		expect(new Set(wishes).size).toBe(4);
	});
});
