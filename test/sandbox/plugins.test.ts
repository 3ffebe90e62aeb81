import { verdictsOf } from '../../sandbox/arrivals';
import { askPlugins } from '../../sandbox/arrivals/plugins';

// The plugins of gateways are nobody's to keep here, so a made-up one stands in for those that
// `npm run sandbox -- arrivals --plugins` runs. A wrong verdict would call a lost setting arrived.

interface Request {
	action?: string;
	requestBody: { image?: string; images?: string[]; metadata?: object; duration?: number };
}

const plugin = (version: string, changes: object = {}) => ({
	meta: {
		...{ key: 'kling', version, channelTypes: [50], models: ['kling-3.0'] },
		usageSchema: { resolution: { enum: ['720p', '1080p'] } },
	},
	buildSubmitRequest: ({ action, requestBody }: Request) => ({
		url: `/${action ?? 'text'}-to-video/kling-3.0?signed=1`,
		body: { settings: { ...requestBody.metadata, duration: requestBody.duration } },
	}),
	extractUsage: ({ requestBody }: Request) => ({ seconds: requestBody.duration ?? 5 }),
	protocols: {
		openai_video: {
			decodeRequest: ({ body }: { body: { value: object } }) => ({
				requestBody: { duration: undefined, ...body.value },
			}),
		},
	},
	...changes,
});

const refuse = () => {
	throw new Error('No');
};

/** The verdicts on settings by `/v1/videos`, which the node sends as New API reads them. */
function judge(plugins: object[], set: object, metadata: object, more: object = {}) {
	const sent = { model: 'kling-3.0', prompt: 'arrival', ...set, metadata };
	const record = {
		column: 'Kling 3.0',
		about: '',
		set,
		sent,
		path: '/v1/videos',
		answered: 400,
		...more,
	};
	const verdicts = verdictsOf({ ...record, plugins: askPlugins(plugins, record) });
	return verdicts.slice(1).map(({ of, verdict }) => `${of}: ${verdict}`);
}

const dropping = { buildSubmitRequest: () => ({ url: '/text-to-video/kling-3.0', body: '{}' }) };
const ratio = [{ aspectRatio: '9:16' }, { aspect_ratio: '9:16' }] as const;
const noted = { notes: ['Aspect Ratio: gateways drop it'] };

it.each([
	['arrives', [plugin('1.0.0'), plugin('1.1.0')], ...ratio, {}],
	['dropped', [plugin('1.0.0', dropping)], ...ratio, {}],
	['hinted', [plugin('1.0.0', dropping)], ...ratio, noted],
	['dropped', [plugin('1.0.0', dropping)], { duration: 10 }, {}, noted],
	['changed', [plugin('1.0.0')], ratio[0], { aspect_ratio: '16:9' }, {}],
	['refused', [plugin('1.0.0', { buildSubmitRequest: refuse })], ...ratio, {}],
	['refused', [plugin('1.0.0')], { resolution: '4k' }, { resolution: '4k' }, {}],
	[
		'billed otherwise',
		[plugin('1.0.0', { extractUsage: () => ({ seconds: 5 }) })],
		{ duration: 10 },
		{},
		{},
	],
])('%s, of plugins %#', (verdict, plugins, set, metadata, more) => {
	const wanted = plugins.map(({ meta }) => `kling ${meta.version}: ${verdict}`);
	expect(judge(plugins, set, metadata, more)).toEqual(wanted);
});

it('on the older route, a plugin is also told that there is an image, and refuses a text', () => {
	const more = { path: undefined };
	const older = plugin('1.0.0', {
		buildSubmitRequest: ({ action }: Request) => ({
			url: `/v1/videos/${action ? 'image2video' : 'text2video'}`,
			body: { aspect_ratio: '9:16' },
		}),
	});
	expect(judge([older], ...ratio, more)).toEqual([
		'kling 1.0.0: arrives',
		'kling 1.0.0 (image): refused',
	]);
});

it('a plugin gets the fields that its gateway knows, and each picture as a list', () => {
	const asked: Request[] = [];
	const spy = plugin('1.0.0', {
		buildSubmitRequest: (context: Request) => asked.push(context) && { url: '', body: {} },
	});
	const sent = { model: 'kling-3.0', image: '{pictures}/a.png', nobodyKnows: 1 };
	askPlugins([spy], { column: 'Kling 3.0', sent });
	const { model, image } = sent;
	expect(asked[0].requestBody).toEqual({ model, image, images: [image] });
});
