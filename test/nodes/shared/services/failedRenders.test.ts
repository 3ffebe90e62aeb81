import type { Billed, Next } from '../../../../nodes/shared/failure/failure';
import { isReason } from '../../../../nodes/shared/failure/reason';
import type { ServiceAnswer } from '../../../../nodes/shared/http/answer';
import { customPaths } from '../../../../nodes/shared/services/customPaths';
import type { Service } from '../../../../nodes/shared/services/contract';
import { fal } from '../../../../nodes/shared/services/fal';
import { fetchTask } from '../../../../nodes/shared/services/fetchTask';
import { kie } from '../../../../nodes/shared/services/kie';
import { newApi } from '../../../../nodes/shared/services/newApi';
import { openAiVideos } from '../../../../nodes/shared/services/openAiVideos';
import { replicate } from '../../../../nodes/shared/services/replicate';
import { runway } from '../../../../nodes/shared/services/runway';
import { wavespeed } from '../../../../nodes/shared/services/wavespeed';
import { renderFailed } from '../../../../nodes/shared/task/renderFailed';

// Whose fault a failed render is, and what is next: by what each service answers to a fetch of its task.

const json = (status: number, body: unknown, headers = {}): ServiceAnswer => ({
	...{ status, headers },
	body: JSON.stringify(body),
});
const ok = (body: unknown) => json(200, body);

const fetch = async (service: Service, ...answers: ServiceAnswer[]) => {
	const asked: string[] = [];
	const send = async ({ path }: { path: string }) => {
		asked.push(path);
		const answer = answers[asked.length - 1];
		return service.toAnswer?.(answer) ?? answer;
	};
	const connection = { service, send, contentUrl: () => undefined };
	const result = await fetchTask(connection as never, 'a/b/requests/1', 1_000);
	return { result, asked };
};

const DONE = ok({ status: 'COMPLETED' });
const DIED = 'Runner disconnected unexpectedly during processing';
const DISCONNECTED = { detail: DIED, error_type: 'runner_disconnected' };
const ofModel = (status: number, type: string, retryable?: boolean, field = 'prompt') =>
	json(
		status,
		{ detail: [{ loc: ['body', field], msg: `Of ${type}`, type }] },
		retryable === undefined ? {} : { 'x-fal-retryable': String(retryable) },
	);
const ofKie = (failCode: string, failMsg: string) =>
	ok({ code: 200, msg: 'success', data: { taskId: 'a', state: 'fail', failCode, failMsg } });
const ofWaveSpeed = (code: number, error: string) =>
	ok({ code: 200, message: 'success', data: { id: 'a', status: 'failed', error, code } });
const ofRunway = (failureCode: string | undefined, failure: string, credits?: number) =>
	ok({
		id: 'a',
		status: 'FAILED',
		failure,
		failureCode,
		cost: credits === undefined ? undefined : { credits },
	});
const ofReplicate = (error: string) => ok({ id: 'a', status: 'failed', error });
const ofNewApi = (fail_reason: string, data = {}) =>
	ok({ code: 'success', data: { task_id: 'a', status: 'FAILURE', fail_reason, data } });

const E6716 = 'Director: unexpected error handling prediction (E6716)';
const INTERRUPTED = 'Prediction interrupted; please retry (code: PA)';
const ARK = { code: 'InternalServiceError', message: 'The service encountered an error' };
const BROKE_OFF = /broke off at the service, not because of the prompt: order it again unchanged/;

type Row = [what: string, Service, ServiceAnswer[], Billed, says: RegExp];

const BROKEN: Row[] = [
	['fal: the result', fal, [DONE, json(503, DISCONNECTED)], 'no', /Runner disconnected/],
	[
		'fal: the status',
		fal,
		[ok({ status: 'COMPLETED', error: DIED, error_type: 'runner_disconnected' }), json(500, {})],
		...(['no', /Runner disconnected/] as const),
	],
	[
		'fal: both are 503',
		fal,
		[json(503, DISCONNECTED), json(503, DISCONNECTED)],
		...(['no', /Runner disconnected/] as const),
	],
	[
		'fal: of its model',
		fal,
		[DONE, ofModel(500, 'internal_server_error', true)],
		...(['no', /Of internal_server_error/] as const),
	],
	[
		'fal: of the service behind its model, as 400',
		fal,
		[DONE, ofModel(400, 'downstream_service_error', true)],
		...(['unknown', /Of downstream_service_error/] as const),
	],
	['Replicate: PA', replicate, [ofReplicate(INTERRUPTED)], 'unknown', /Prediction interrupted/],
	['Replicate: E6716', replicate, [ofReplicate(E6716)], 'unknown', /E6716/],
	['kie.ai: of Replicate', kie, [ofKie('422', E6716)], 'unknown', /E6716/],
	['kie.ai: PA', kie, [ofKie('422', INTERRUPTED)], 'unknown', /PA/],
	['kie.ai: silence', kie, [ofKie('500', 'upstream API service timed out')], 'unknown', /timed/],
	['Runway: internal', runway, [ofRunway('INTERNAL', 'Odd', 0)], 'no', /Odd/],
	['Runway: no code', runway, [ofRunway(undefined, 'Odd')], 'unknown', /Odd/],
	[
		'Runway: its pictures',
		runway,
		[ofRunway('INPUT_PREPROCESSING.INTERNAL', 'Odd', 0)],
		'no',
		/Odd/,
	],
	['Runway: a vendor', runway, [ofRunway('THIRD_PARTY.UNAVAILABLE', 'Odd', 0)], 'no', /Odd/],
	['WaveSpeed: 5000', wavespeed, [ofWaveSpeed(5000, 'Internal')], 'no', /Internal/],
	['WaveSpeed: 5003', wavespeed, [ofWaveSpeed(5003, 'Unavailable')], 'no', /Unavailable/],
	[
		'New API: of its vendor',
		newApi,
		[ofNewApi('upstream returned error')],
		...(['unknown', /upstream returned error/] as const),
	],
	[
		"New API: Ark's record",
		newApi,
		[ofNewApi(ARK.message, { status: 'failed', error: ARK })],
		...(['unknown', /encountered an error/] as const),
	],
	['Ark', customPaths({}), [ok({ id: 'a', status: 'failed', error: ARK })], 'unknown', /error/],
	['kie.ai: high demand', kie, [ofKie('500', 'Too much demand. (E003)')], 'unknown', /E003/],
	[
		'OpenAI',
		openAiVideos,
		[ok({ id: 'a', status: 'failed', error: { code: 'server_error', message: 'Oops' } })],
		...(['unknown', /Oops/] as const),
	],
];

const OF_REQUEST: Row[] = [
	[
		'fal: a filter',
		fal,
		[
			ok({ status: 'COMPLETED', error: 'Unprocessable Entity', error_type: 'bad_request' }),
			ofModel(422, 'content_policy_violation'),
		],
		...(['unknown', /rendered: prompt: Of content_policy_violation/] as const),
	],
	[
		'fal: a file that it cannot fetch',
		fal,
		[DONE, ofModel(422, 'file_download_error', false, 'image_url')],
		...(['unknown', /rendered: image_url: Of file_download_error/] as const),
	],
	[
		'fal: what cannot work again',
		fal,
		[DONE, ofModel(500, 'internal_server_error', false)],
		...(['no', /is not billed/] as const),
	],
	['Replicate: flagged', replicate, [ofReplicate('Flagged (E005)')], 'unknown', /E005/],
	['kie.ai: bad input', kie, [ofKie('422', 'image_urls: no image')], 'unknown', /image_urls/],
	['Runway: internal, and billed', runway, [ofRunway('INTERNAL', 'Odd', 5)], 'yes', /Odd/],
	['Runway: a filter', runway, [ofRunway('SAFETY.INPUT.IMAGE', 'Unsafe', 60)], 'yes', /Unsafe/],
	['Runway: a bad output', runway, [ofRunway('INTERNAL.BAD_OUTPUT.CODE01', 'Odd', 0)], 'no', /Odd/],
	['Runway: a file', runway, [ofRunway('ASSET.INVALID', 'No picture', 0)], 'no', /No picture/],
	['WaveSpeed: moderation', wavespeed, [ofWaveSpeed(1200, 'Unsafe')], 'no', /Unsafe/],
	['WaveSpeed: no file', wavespeed, [ofWaveSpeed(1402, 'image: 404')], 'no', /image: 404/],
	// The video was rendered, and New API did not know the words of it (new-api 5927).
	[
		'New API: a message',
		newApi,
		[ofNewApi('upstream returned unrecognized message')],
		'unknown',
		/unrecognized message/,
	],
	[
		'xAI: a filter, whose end is no record',
		customPaths({}),
		[json(400, { code: 'imagine:content-moderated', error: 'Rejected by content moderation.' })],
		...(['unknown', /Rejected by content moderation/] as const),
	],
	['New API: of the prompt', newApi, [ofNewApi('Too dark')], 'unknown', /Too dark/],
];

const failureOf = async (service: Service, answers: ServiceAnswer[], brokeTooOften = false) => {
	const { result, asked } = await fetch(service, ...answers);
	if (isReason(result)) throw new Error(result.message);
	expect(asked).toHaveLength(answers.length);
	const failure = renderFailed('failed', result.task, { maxWaitMs: 1, brokeTooOften });
	return { ...failure, words: `${failure.message}. ${failure.description}` };
};

it.each(BROKEN)('broke off, %s', async (_what, service, answers, billed, says) => {
	const failure = await failureOf(service, answers);
	expect(failure).toMatchObject({ next: 'retry' satisfies Next, retryable: true, billed });
	for (const words of [says, BROKE_OFF]) expect(failure.words).toMatch(words);
	const again = await failureOf(service, answers, true);
	expect(again).toMatchObject({ next: 'changeRequest', retryable: false, billed });
	expect(again.words).toMatch(/choose another Model, or run it later in a new execution/);
	for (const { words } of [failure, again]) expect(words).not.toMatch(/change the prompt/i);
});

it.each(OF_REQUEST)(
	'over what was asked for, %s',
	async (_what, service, answers, billed, says) => {
		const failure = await failureOf(service, answers);
		expect(failure).toMatchObject({ next: 'changeRequest', retryable: false, billed });
		for (const words of [says, /Change the prompt or the image/]) {
			expect(failure.words).toMatch(words);
		}
	},
);

it('kie.ai says the same of a break and of a filter, which is told', async () => {
	const answers = [ofKie('500', 'Internal Error, Please try again later.')];
	const failure = await failureOf(kie, answers);
	expect(failure).toMatchObject({ next: 'retry', retryable: true, billed: 'unknown' });
	expect(failure.words).toMatch(
		/a filter refused it: order it again unchanged\. If it fails again/,
	);
	expect((await failureOf(kie, answers, true)).words).toMatch(/Change the prompt or the image/);
});

it.each([
	['goes on', json(400, { detail: 'Request is still in progress' }), 'IN_PROGRESS'],
	['has its file', ok({ video: { url: 'https://v3.fal.media/a.mp4' } }), 'SUCCESS'],
])('fal: a status of 503 is no end where the result %s', async (_what, answer, status) => {
	const { result } = await fetch(fal, json(503, DISCONNECTED), answer);
	expect(result).toMatchObject({ task: { status } });
});

it("does not take fal's task for lost whose result is not there", async () => {
	const missing = json(404, { detail: 'Path /h3max/text-to-video not found' });
	const { result } = await fetch(fal, DONE, missing);
	expect(result).toMatchObject({ passes: true, httpCode: 502 });
	expect(result).not.toHaveProperty('unknownTask');
});
