import type { IDataObject } from 'n8n-workflow';

import { byId, CONTINUE, toInput, useStage, videoGenerate } from '../../support/stage';

const stage = useStage();

interface Case {
	name: string;
	parameters?: IDataObject;
	row?: IDataObject;
	says: RegExp;
}

const CASES: Case[] = [
	{ name: 'a prompt that the item does not have', row: { text: 'x' }, says: /^Prompt is empty/ },
	{
		name: 'a model that the item does not have',
		parameters: { model: byId('={{ $json.model }}') },
		says: /^Model is empty \[item 0\]/,
	},
	{
		name: 'an image URL that is none',
		parameters: { imageSource: 'url', image: 'product.png' },
		says: /^Image URL is not one http or https address \[item 0\]/,
	},
	{
		name: 'two image URLs',
		parameters: { imageSource: 'url', image: 'https://a.example/1.png, https://a.example/2.png' },
		says: /^Image URL is not one http or https address/,
	},
	{
		name: 'base64 that is no image',
		parameters: { imageSource: 'base64', image: 'SGVsbG8gd29ybGQ=' },
		says: /^Image Data is not a base64-encoded image \[item 0\]/,
	},
	{
		name: 'a binary field that the item does not have',
		parameters: { imageSource: 'binary', imageBinaryProperty: 'photo' },
		says: /^The item has no binary field "photo" \(Input Binary Field\) \[item 0\]/,
	},
	{
		name: 'a binary field that contains no image',
		parameters: { imageSource: 'binary' },
		says: /^The file of Input Binary Field is not an image \[item 0\]/,
	},
	{
		name: 'a row of Images that has none',
		parameters: { options: { images: { image: [{ imageSource: 'base64', image: 'AAAA' }] } } },
		says: /^Images, row 1: Image Data is not a base64-encoded image \[item 0\]/,
	},
	{
		name: 'an option of a model whose name goes on and on',
		parameters: {
			model: byId(`veo-${'1'.repeat(10_000)}`),
			options: { film: { returnLastFrame: true } },
		},
		says: /^"veo-1{196}" has no field for: Return Last Frame/,
	},
];

const PDF = { data: Buffer.from('%PDF-1.7').toString('base64'), mimeType: 'image/png' };

it.each(CASES)('$name costs nothing, and is told', async ({ parameters, row, says }) => {
	const node = videoGenerate(parameters, CONTINUE);
	const items = [{ json: row ?? { prompt: 'A boat' }, binary: { data: PDF } }, { json: {} }];
	const [[{ json }]] = (await stage.run(node, items)).outputs();
	expect(json).toEqual({
		...items[0].json,
		error: expect.objectContaining({ message: expect.stringMatching(says) }),
	});
	expect(stage.sandbox.submissions()).toHaveLength(0);
});

it('no model: n8n itself names the parameter before the node runs', async () => {
	const { error } = await stage.run(videoGenerate({ model: byId('') }), toInput({ prompt: 'x' }));
	expect(JSON.stringify(error)).toMatch(/Model/);
	expect(stage.sandbox.submissions()).toHaveLength(0);
});
