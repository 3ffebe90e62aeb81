import {
	applyRules,
	createFieldRules,
	learnFields,
} from '../../../../nodes/shared/service/fieldRules';

// What refusals say of fields, in the words of Go, pydantic, zod, OpenAI and the pages of services.

const SENT = {
	...{ model: 'm', prompt: 'p', duration: 5, seconds: '5', aspect_ratio: '16:9', ratio: '16:9' },
	...{ resolution: '720p', metadata: { resolution: '720p' }, size: '1280x720' },
	...{
		image: 'https://a.example/i.png',
		images: ['https://a.example/i.png'],
		input_reference: 'i',
	},
};
const SET = { aspectRatio: '16:9', resolution: '720p' };
const learn = (words: string) => {
	const rules = createFieldRules();
	return { isNew: learnFields(rules, words, SENT), fields: applyRules(rules, SENT, SET), rules };
};

it.each<[words: string, change: object]>([
	[
		'json: cannot unmarshal number into Go struct field TaskSubmitReq.duration of type string',
		{ duration: '5' },
	],
	['Expected string, received number at "duration"', { duration: '5' }],
	['body seconds Input should be a valid integer', { seconds: 5 }],
	[
		"Invalid type for 'input_reference': expected an object, but got a string instead.",
		{ input_reference: { image_url: 'i' } },
	],
	['size cannot be combined with resolution or aspect_ratio', { size: undefined }],
	['Do not pass image together with images', { images: undefined }],
	['image 与 images 二选一', { images: undefined }],
	['Only one of seconds or duration may be set', { seconds: undefined }],
	['images and input_reference are mutually exclusive', { input_reference: undefined }],
	['size must be one of 480p, 720p', { size: '720p' }],
	["Invalid size '1280x720', expected 480P or 720P", { size: '720P' }],
	['size must be one of: 16:9, 9:16, 1:1', { size: '16:9' }],
	[
		'Unsupported resolution 720p. Use 480P, 720P',
		{ resolution: '720P', metadata: { resolution: '720P' } },
	],
])('"%s" is heeded', (words, change) => {
	const { isNew, fields, rules } = learn(words);
	expect(isNew).toBe(true);
	expect(fields).toEqual(JSON.parse(JSON.stringify({ ...SENT, ...change })));
	// The same words bring nothing new, so no request is sent for ever.
	expect(learnFields(rules, words, SENT)).toBe(false);
});

it.each([
	'duration must be between 6 and 10 seconds',
	'size 1280x720 is not supported, use 1792x1024 or 1024x1792',
	'aspect_ratio must be one of 1:1, 4:3',
	'An image is required for this model',
	'image cannot be combined with aspect_ratio',
	'ratio cannot be used together with image',
	'images cannot be used together with duration over 4',
	'duration and resolution are mutually exclusive',
	'metadata is not compatible with model m',
	'The oversize prompt must be a string',
	'duration must be a number',
	'1080p cannot be used with a duration of 4 seconds',
])('"%s" changes nothing', (words) => {
	const { isNew, fields } = learn(words);
	expect([isNew, fields]).toEqual([false, SENT]);
});

it('a size alone stays in pixels, because a word would hold only one of its settings', () => {
	const rules = createFieldRules();
	const words = 'size must be one of 480p, 720p';
	expect(learnFields(rules, words, { seconds: '5', size: '1280x720' })).toBe(false);
});

it('a size takes the word of what is set', () => {
	const words = 'size must be one of 16:9, 9:16, 720p, 1080p';
	const sent = { aspect_ratio: '16:9', size: '1280x720' };
	const rules = createFieldRules();
	expect(learnFields(rules, words, sent)).toBe(true);
	expect(applyRules(rules, sent, { aspectRatio: '16:9' })).toEqual({ ...sent, size: '16:9' });
});

it('a size whose setting is not set is left out', () => {
	const { rules } = learn('size must be one of 480p, 720p');
	expect(applyRules(rules, { size: '1280x720' }, { aspectRatio: '16:9' })).toEqual({});
});

it('a field that is unknown is left out if another one says the same', () => {
	const { fields } = learn("Unknown parameter: 'metadata'.");
	expect(fields).toEqual({ ...SENT, metadata: undefined });
});

it('two other ways of writing settings are tried in turn for fields that are unknown', () => {
	const rules = createFieldRules();
	const tries = ['prompt_extend', 'duration', 'seed'].map((name) => [
		learnFields(rules, `Unknown parameter: '${name}'.`, { duration: 5, seed: 1 }),
		rules.way,
	]);
	expect(tries).toEqual([
		[true, 1],
		[true, 2],
		[false, 2],
	]);
});

it('another way of writing begins anew, and so does one for a service that knows few fields', () => {
	const rules = createFieldRules();
	const learnt = ['seconds', 'ratio', 'images', 'size'].map((name) => {
		const fields = applyRules(rules, SENT, SET);
		learnFields(rules, `Unknown parameter: '${name}'.`, fields);
		return [rules.way, rules.excluded.length];
	});
	expect(learnt).toEqual([
		[0, 1],
		[0, 2],
		[0, 3],
		[1, 0],
	]);
});
