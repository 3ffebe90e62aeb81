import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import { useStage, videoGenerate } from '../../support/stage';
import requests from './recordings/requests.json';

// Each field of each family was once sent through a real gateway, and what vendors received was recorded
// (recordings/README.md). What the node sends now is what it sent then, so it still arrives.

interface Recorded {
	/** A model behind a kind of channel. */
	column: string;
	owner: string;
	about: string;
	/** What is set of the node, by the names of its parameters and options; pictures are words. */
	set: IDataObject & { images?: Array<{ role: string; imageSource: string }> };
	sent: IDataObject & { model: string };
	path?: string;
	/** What Dry Run says of it. */
	notes?: string[];
}

const RECORDED = requests.records as unknown as Recorded[];

// One pixel; its base64 has every character that a gateway may stumble over: + and / and =.
const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
const binary = { data: { data: PNG, mimeType: 'image/png', fileName: 'picture.png' } };

const models = { video: RECORDED.map(({ sent }) => sent.model) };
const owners = Object.fromEntries(RECORDED.map(({ sent, owner }) => [sent.model, owner]));
const stage = useStage({ models, owners });

let host: FastifyInstance;
beforeAll(async () => {
	host = Fastify();
	const bytes = Buffer.from(PNG, 'base64');
	host.get('/picture.png', async (_request, reply) => await reply.type('image/png').send(bytes));
	await host.listen({ host: '127.0.0.1', port: 0 });
	stage.credentials.videoGenerationApi.allowPrivateAddresses = true;
});
afterAll(async () => await host.close());

/** The same JSON with pictures and addresses of this run as words, as recordings have them. */
const toWords = (value: unknown) =>
	JSON.parse(
		JSON.stringify(value)
			.replaceAll(host.listeningOrigin, '{pictures}')
			.replaceAll(PNG, '{png}')
			.replaceAll(PNG.replace(/=+$/, ''), '{png without padding}'),
	);
const fromWords = (value: unknown) =>
	JSON.parse(JSON.stringify(value).replaceAll('{pictures}', host.listeningOrigin));

const IN_SIGHT = ['aspectRatio', 'duration', 'resolution'];
const OPTIONS = ['additionalFields', 'generateAudio', 'negativePrompt', 'seed'];
const fromItem = (name: string) => `={{ $json.set.${name} }}`;
const allFromItem = (names: string[]) =>
	Object.fromEntries(names.map((name) => [name, fromItem(name)]));

/** The parameters by which an item says all that is set; the rows of images are fixed in a node. */
const toParameters = (images: NonNullable<Recorded['set']['images']>) => ({
	model: { __rl: true, mode: 'id', value: '={{ $json.sent.model }}' },
	prompt: 'arrival',
	imageSource: '={{ $json.set.imageSource ?? "none" }}',
	image: fromItem('image'),
	imageBinaryProperty: 'data',
	...allFromItem(IN_SIGHT),
	wait: 'none',
	options: {
		...allFromItem(OPTIONS),
		cost: { dryRun: '={{ $json.dryRun }}' },
		...allFromItem(['returnLastFrame']),
		images: {
			image: images.map(({ role, imageSource }, row) => ({
				...{ role, imageSource, imageBinaryProperty: 'data' },
				image: fromItem(`images[${row}].image`),
			})),
		},
	},
});

/** What the node sends, and says in a dry run. */
async function send(record: Recorded) {
	stage.sandbox.reset();
	const node = videoGenerate(toParameters(record.set.images ?? []) as unknown as IDataObject);
	const items = [false, true].map((dryRun) => ({
		json: fromWords({ ...record, dryRun }) as IDataObject,
		binary,
	}));
	const { outputs } = await stage.run(node, items);
	const [request] = stage.sandbox.submissions();
	const { notes = [] } = outputs()[0][1].json;
	return { sent: toWords(request.body) as unknown, path: request.path, notes };
}

it.each(RECORDED)('$column, $about: sends what was recorded', async (record) => {
	const { sent, path = '/v1/video/generations', notes = [] } = record;
	expect(await send(record)).toEqual({ sent, path, notes });
});
