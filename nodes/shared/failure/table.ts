// What a status, a code or a type of a failing answer means: data. Everybody else asks `lookUp`.

import { TOO_LARGE } from '../http/answer';

/** What a request asks for. `submit` and `text` cost money; `list` is anything else that is free. */
export type Asking = 'submit' | 'text' | 'check' | 'render' | 'file' | 'list';

/** What the table looks at. `words` are those of the service: whether it has refused work never goes by them. */
export interface Facts {
	status?: number;
	code?: string;
	type?: string;
	/** The code stands in `error`. */
	isInError?: boolean;
	/** The credential, or the answer, says that it is New API. */
	isOfNewApi?: boolean;
	words?: string;
	/** The answer is a web page. */
	isPage?: boolean;
	/** The address is one that the service itself has, and nobody has typed. */
	isKnownAddress?: boolean;
}

/** When a row holds: all that it names has to. */
interface When extends Pick<Facts, 'isPage' | 'isInError' | 'isOfNewApi' | 'isKnownAddress'> {
	asking?: Asking[];
	status?: readonly number[] | '2xx' | '4xx' | '5xx';
	code?: RegExp;
	type?: RegExp;
	/** For advice, and for what a service says in words alone. */
	says?: RegExp;
}

/** What a failing answer means. */
export interface Verdict {
	/** A sentence for a person. */
	words?: string;
	/** The same request may work later by itself. */
	passes?: boolean;
	/** The service does nothing now, and so has done nothing: the same request may be sent again. */
	busy?: boolean;
	/** A request that costs money was declined before any work. */
	refused?: boolean;
	/** The key or the account is at fault, and no item. */
	account?: boolean;
	/** The credit, the budget or the day's share of the key is used up: no other paid request gets through. */
	noCredit?: boolean;
	/** The service itself says that there is no such task, for this key. */
	unknownTask?: boolean;
	/** The service may not have this address. */
	noAddress?: boolean;
	/** Of a host that is not the service's: the link may have expired, or the file may be deleted. */
	mayBeGone?: boolean;
	/** The service itself says that there is no such file for this key. */
	isGone?: boolean;
	/** It is the end of a render, although it is no record. */
	ended?: boolean;
	/** So many such answers in a row to checks of a task end the wait for it. */
	lostAfter?: number;
	/** The render broke off at the vendor, so the same video may be ordered again. */
	broke?: boolean;
	/** What a person can do. */
	advice?: string;
}

/** Statuses of answers that lead elsewhere. 303 leads to the result of work (RFC 9110). */
export const REDIRECTS = [301, 302, 303, 307, 308];

const NO_CREDIT = 'The account is out of credit';
const WRONG_KEY = 'The service refuses the API key: it is unknown, disabled, expired or used up';
const RATE_LIMIT = 'The service is rate-limiting requests';
const NO_ADDRESS = 'The service does not know this address';
const NO_ANSWER = 'The service did not answer in time';
const CHECK_ACCOUNT = 'Check the credential and the account.';
const TOP_UP = 'Top up the account of the API key in the credential.';
const RAISE_LIMIT =
	'Raise the limit of the API key at the service, use another key, or run the item again once the limit starts anew.';
const OTHER_MODEL = 'Choose another Model, or ask the operator of the service.';

/** What services say of a request that lacks a field, or has it in another form. */
const OF_FIELDS =
	/\b(required|missing|unmarshal|unknown|unrecogni[sz]ed|unexpected|extra|mutually exclusive|combined)\b|\b(must|should) be\b|\b(expected|invalid) (type|value|string|number|integer|object)/i;
/** Azure: "The API deployment for this resource does not exist". */
const OF_MODEL = /\b(model|deployment|application|resource|version)\b/i;

/** What services say of an account without credit that have no code for it. */
const OF_NO_CREDIT =
	/used all available credits|monthly spending limit|credits are (depleted|insufficient)|exhausted balance|reason: top_up\b/i;

/** New API's code for a task that it does not have, at which others count as such, too. */
export const UNKNOWN_TASK = 'task_not_exist';
/** New API's code for trouble at the model's vendor; the status is then the vendor's own. */
const BY_VENDOR = /^fail_to_fetch_task$/;
/** Too many requests, or an overload; the last two are HTTP's numbers, which some write as a code. */
const OVERLOADED =
	/^(rate_limit_exceeded|service_unavailable|overloaded|system(_\w{1,20})?_overloaded|429|503)$/;
/** OpenAI, New API (a user's quota), DashScope. */
const OUT_OF_CREDIT =
	/^(insufficient_(user_)?quota|billing_hard_limit_reached|billing_not_active|Arrearage)$/;
/** For each column, the first row that holds counts: codes stand above statuses. */
// prettier-ignore
const TABLE: ReadonlyArray<readonly [When, Verdict]> = [
	[{ type: /^new_api_panic$/ }, { refused: false }],

	// The network: nothing was sent, most often because of a typo in the credential.
	[{ code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPROTO)$/, isKnownAddress: true }, { advice: 'Check the internet access of n8n, its DNS and its proxy.' }],
	[{ code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPROTO)$/ }, { advice: 'Check the address in the credential, that the service runs, and that n8n can reach it. If n8n runs in a container, localhost is that container: use host.docker.internal, or the name of the container of the service.' }],
	[{ code: new RegExp(`^${TOO_LARGE}$`) }, { lostAfter: 5 }],

	// Tasks and models. New API answers a submit before it inserts the task.
	[{ code: new RegExp(`^${UNKNOWN_TASK}$`) }, { words: 'The service does not know this task', unknownTask: true, noAddress: false, lostAfter: 6, advice: 'Check the task ID, and that the credential is the one it was submitted with.' }],
	[{ code: /^model_not_found$/ }, { words: 'The service does not have this model, or cannot serve it now', passes: false, noAddress: false, advice: 'Choose another Model.' }],

	// The account. LiteLLM writes its status as the code, so its type stands above the codes of an overload.
	[{ code: OUT_OF_CREDIT }, { words: NO_CREDIT, passes: false, busy: false, account: true, noCredit: true, advice: TOP_UP }],
	[{ code: /^AllocationQuota\.FreeTierOnly$/ }, { words: 'The free quota of this model is used up', passes: false, busy: false, account: true, advice: 'Turn the limit to free quotas off at the service, or choose another Model.' }], // DashScope
	[{ type: /^budget_exceeded$/ }, { words: 'The budget of the API key, or of its user or team, is used up', passes: false, busy: false, account: true, noCredit: true, advice: RAISE_LIMIT }], // LiteLLM, 400 and 429
	[{ code: /^pre_consume_token_quota_failed$/ }, { words: 'The API key has too little quota left', passes: false, busy: false, account: true, noCredit: true, advice: RAISE_LIMIT }], // New API
	[{ status: '2xx', type: /^base_resp$/, code: /^1008$/ }, { words: NO_CREDIT, refused: true, account: true, noCredit: true, advice: TOP_UP }], // MiniMax
	[{ status: '2xx', type: /^base_resp$/, code: /^1002$/ }, { words: RATE_LIMIT, passes: true, busy: true, refused: true }], // MiniMax
	[{ status: [400], type: /^(API_KEY_INVALID|no_db_connection)$/ }, { words: WRONG_KEY, account: true, advice: CHECK_ACCOUNT }], // Google; LiteLLM without a database
	[{ status: [401, 402, 403, 433], code: BY_VENDOR }, { account: false, noCredit: false, advice: 'Your API key is fine. Tell the operator of the service, or choose another Model.' }],
	[{ status: [401, 403], code: BY_VENDOR }, { words: "The vendor of the model refuses the service's own account" }],
	[{ status: [404, 405], code: BY_VENDOR }, { words: 'The vendor of the model does not know this request', noAddress: false, advice: OTHER_MODEL }],

	// Renders that broke off, at Replicate and at kie.ai, which repeats its words. Others have codes of their own.
	[{ asking: ['render'], code: /^(PA|E(003|1000|6716|8765|9243|9825|9828))$/ }, { broke: true }], // its pages, and clients of it (2026-11)
	[{ asking: ['render'], code: /^budget_exceeded$/ }, { account: true, advice: 'The budget of the key is used up: raise it, or wait until it begins anew' }], // Google's Interactions (its SDK 2.32.0)
	[{ asking: ['render'], code: /^requires_action$/ }, { advice: 'It waits for the answer to a call of a tool, which this node cannot give: remove tools from Additional Fields (JSON).' }], // the same
	[{ asking: ['render'], code: /^cancell?ed$/i }, { advice: 'It was cancelled at the service, and not because of the prompt: run it again if it is still wanted. The new render is billed.' }], // Google, Replicate, Runway
	[{ asking: ['render'], code: /^(server_error|InternalServiceError)$/ }, { broke: true }], // OpenAI; Ark, also in New API's copy

	// xAI's end of a render that a filter has kept back (vercel/ai 13390).
	[{ asking: ['check'], status: [400], code: /\bcontent-moderated$/ }, { ended: true }],

	// The account, in words alone: xAI (continuedev/continue 10373), Gemini (dyad 3626), fal (fal 1163, 1168), OpenRouter (MCPJam 1287), kie.ai's pages of Suno.
	[{ asking: ['submit', 'text', 'list'], status: [403, 429], says: OF_NO_CREDIT }, { words: NO_CREDIT, passes: false, busy: false, account: true, noCredit: true, advice: TOP_UP }],
	[{ asking: ['submit'], status: [400], says: /\bnot have enough credits\b/i }, { words: NO_CREDIT, account: true, noCredit: true, advice: TOP_UP }], // Runway, many users (2026-07)
	[{ asking: ['submit', 'text'], status: [403], says: /\bkey limit exceeded\b/i }, { words: 'The API key has used up its own limit', noCredit: true, advice: RAISE_LIMIT }],
	[{ asking: ['submit', 'text', 'list'], status: [403], says: /\buser is locked\b/i }, { words: 'The service has locked the account', noCredit: true, advice: 'Write to the support of the service.' }],

	[{ code: OVERLOADED }, { passes: true, busy: true }],

	// What New API keeps of a submit that it has declined, and of one that it has not. Others have these shapes, too.
	[{ type: /^new_api_no_task$/, code: /settle|unknown|duplicate|exists/ }, { refused: false }],
	[{ status: '4xx', isOfNewApi: true, type: /^new_api_no_task$/ }, { refused: true }],
	[{ status: '5xx', isOfNewApi: true, type: /^new_api_no_task$/ }, { refused: true }],
	[{ status: [503], type: /^new_api_error$/ }, { refused: true }],
	[{ status: [503], isOfNewApi: true, isInError: true, code: /^(model_not_found|get_channel_failed|service_unavailable|(\w+_)?overloaded)$/ }, { refused: true }],
	[{ asking: ['text'], status: [503], isInError: true, code: /^503$/ }, { refused: true }], // Google, of a model that is overloaded

	// Files. For some seconds after a record says SUCCESS, its file may be 400, 404, or a page or JSON with 200.
	[{ asking: ['file'], status: [403], says: /\bnot have permission to access the file\b.*\bmay not exist\b/i }, { words: 'The service does not give the file', account: false, isGone: true }], // Gemini's, after two days
	[{ asking: ['file'], status: [400, 401, 403, 404, 410] }, { mayBeGone: true }], // Google's storage has 400, Amazon's 403
	[{ asking: ['file'], status: [502], isPage: false }, { words: 'The service gets no file from the vendor of the model' }],
	[{ asking: ['file'], status: [400, 404] }, { passes: true }],
	[{ asking: ['file'], status: '2xx' }, { passes: true }],
	[{ asking: ['file'], status: '2xx', isPage: true }, { words: 'The address answers with a web page, not with a file' }],
	[{ status: '2xx', isPage: true }, { words: 'The address answers with a web page, not with the API of the service. Check the address in the credential' }],

	// Advice by the service's words.
	[{ asking: ['submit', 'check'], status: [404, 405], says: OF_MODEL }, { advice: OTHER_MODEL }],
	[{ asking: ['submit', 'check'], status: [404, 405] }, { advice: 'If the service documents other paths for videos, enter them in the credential, with Service on Custom Paths.' }],
	[{ asking: ['submit'], status: [400, 422, 500], says: OF_FIELDS }, { advice: 'If the service wants other fields, write them into Additional Fields (JSON).' }],
	[{ asking: ['submit'], status: [400, 422], says: /\S/ }, { advice: 'These words are the service\'s. Change what they name, such as the prompt, a file, a setting or the model.' }],

	// Its list asks the vendor named in a parameter, with a key of the environment (LiteLLM 1.108, tried; 22130).
	[{ asking: ['list'], status: [400], says: /LLM Provider NOT provided/i }, { words: 'This LiteLLM has no list of tasks', advice: 'Look at its logs.' }],

	// Statuses. After those of the first row, the work may go on: 460 is a load balancer's, 499 a proxy's.
	[{ status: [303, 408, 409, 424, 425, 460, 499] }, { refused: false }],
	[{ status: REDIRECTS }, { refused: true }],
	[{ status: [401] }, { words: WRONG_KEY, account: true, lostAfter: 5, advice: CHECK_ACCOUNT }],
	[{ status: [402] }, { words: NO_CREDIT, account: true, noCredit: true, advice: TOP_UP }],
	[{ status: [403] }, { words: 'The service does not allow this request: check the IP address, account, model and quota', account: true, lostAfter: 5, advice: CHECK_ACCOUNT }],
	[{ status: [404, 405] }, { words: NO_ADDRESS, noAddress: true }],
	[{ status: [404, 410] }, { lostAfter: 6 }],
	[{ status: [408] }, { words: NO_ANSWER, passes: true }],
	[{ status: [409] }, { words: 'The service is busy with the same request', passes: true }],
	[{ status: [413] }, { words: 'The request is too large for the service; try a smaller image' }],
	[{ status: [425] }, { passes: true }],
	[{ status: [429] }, { words: RATE_LIMIT, passes: true, busy: true }],
	[{ status: [433] }, { words: 'The API key has used up its own limit', account: true, noCredit: true, advice: RAISE_LIMIT }], // kie
	[{ status: [455] }, { words: 'The service is under maintenance', passes: true }], // kie
	[{ status: [502] }, { words: 'The service cannot be reached behind its proxy' }],
	[{ status: [503] }, { words: 'The service is not available' }],
	[{ status: [504] }, { words: NO_ANSWER }],
	[{ status: '5xx' }, { words: 'The service could not process the request', passes: true, refused: false }],
	[{ status: '4xx' }, { words: 'The service does not accept the request', refused: true }],
];

/** Returns what a failing answer means: of each column, what the first row that holds says. */
export function lookUp(asking: Asking, facts: Facts): Verdict {
	const rows = TABLE.filter(([when]) => holds(when, asking, facts));
	return rows
		.map(([, verdict]) => verdict)
		.reduceRight<Verdict>((below, above) => ({ ...below, ...above }), {});
}

function holds(
	when: When,
	asking: Asking,
	{ status, code, type, words, ...facts }: Facts,
): boolean {
	const isOf = (text: string | undefined, pattern: RegExp | undefined) =>
		pattern === undefined || (text !== undefined && pattern.test(text));
	return (
		when.asking?.includes(asking) !== false &&
		(when.status === undefined || (status !== undefined && isIn(status, when.status))) &&
		isOf(code, when.code) &&
		isOf(type, when.type) &&
		isOf(words, when.says) &&
		(['isInError', 'isOfNewApi', 'isPage', 'isKnownAddress'] as const).every(
			(name) => when[name] === undefined || when[name] === (facts[name] === true),
		)
	);
}

const isIn = (status: number, statuses: NonNullable<When['status']>): boolean =>
	typeof statuses === 'string'
		? Math.floor(status / 100) === Number(statuses[0])
		: statuses.includes(status);
