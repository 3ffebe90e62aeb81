'use strict';

const { business, gateway } = require('./errorShapes');

// 401 is overloaded on purpose: the service says it to keys that are missing, unknown, disabled,
// expired and used up, in the same words on every address, also for a job that the key has already
// paid for.

const NATIVE_HEADER = /^x-[a-z0-9]+-api-key$/;
const BUDGET_KEY = /^sandbox-budget-(\d+)$/;

const OUT_OF_CREDIT = '预扣费额度失败, 用户剩余额度: ＄0.000020, 需要预扣费额度: ＄3.200000';
const TOO_LITTLE =
	'token quota is not enough, token remain quota: ＄0.000020, need quota: ＄3.200000';
const invalid = () => gateway(401, '', 'Invalid token');
const always = (code, message) => () => gateway(403, code, message);
const SPENDING = ['submit', 'text'];
const onlyAt = (places, message) => (place) =>
	places.includes(place) ? gateway(403, '', message) : undefined;

/** In the shape of the address: of a business error for video. */
const unpaid = (code, message) => (place) => {
	if (!SPENDING.includes(place)) return undefined;
	const refuse = place === 'submit' ? business : gateway;
	return refuse(403, code, message);
};

const ROWS = {
	'sandbox-disabled': ['401 everywhere: disabled', invalid],
	'sandbox-expired': ['401 everywhere: expired', invalid],
	'sandbox-used-up': ['401 everywhere: its quota is used up', invalid],
	'sandbox-no-quota': [
		'403 on whatever costs money: the account is out of credit',
		unpaid('insufficient_user_quota', OUT_OF_CREDIT),
	],
	'sandbox-little-quota': [
		"403 on whatever costs money: the key's quota does not reach for it",
		unpaid('pre_consume_token_quota_failed', TOO_LITTLE),
	],
	'sandbox-banned': ['403 everywhere: the account is banned', always('', 'The account is banned')],
	'sandbox-address': [
		"403 everywhere: the caller's IP address is not allowed",
		always('access_denied', 'Your IP is not in the list of this key'),
	],
	'sandbox-model-forbidden': [
		'403 on whatever costs money: the model is not allowed for the key',
		onlyAt(SPENDING, 'This token has no access to model of this request'),
	],
	'sandbox-poll-forbidden': [
		'submits and downloads, but 403 on every poll',
		onlyAt(['poll'], 'This token has no access to model '),
	],
	'sandbox-budget-2': [
		'creates 2 tasks (or any other number in the name), then 401 everywhere',
		() => undefined,
	],
};
/** What a key meets at a place ('submit', 'poll', 'content', 'text' or 'list'), by its name. */
const KEYS = Object.fromEntries(
	Object.entries(ROWS).map(([name, [about, refuse]]) => [name, { about, refuse }]),
);

/** Which of the request's credentials the service reads on this address, and its value. */
function readKey(request, isNative) {
	const { authorization, ...headers } = request.headers;
	const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
	if (isNative) {
		const name = Object.keys(headers).find((header) => NATIVE_HEADER.test(header));
		if (name) return { from: 'header', value: String(headers[name]) };
		if (request.query.key) return { from: 'query', value: String(request.query.key) };
	}
	return bearer ? { from: 'bearer', value: bearer } : { from: 'none', value: '' };
}

/** Returns the refusal, or `undefined` for a key that may. */
function refusalOf(value, place, { goodKey, tasks }) {
	if (value === goodKey) return undefined;
	const budget = BUDGET_KEY.exec(value)?.[1];
	if (budget !== undefined) {
		const made = [...tasks].filter(({ key }) => key === value).length;
		return made < Number(budget) ? undefined : invalid();
	}
	return Object.hasOwn(KEYS, value) ? KEYS[value].refuse(place) : invalid();
}

/** The refusal for this request's key, if any; its record tells which credential was read. */
function refused(exchange, place, isNative = false) {
	const { state, record } = exchange;
	const { from, value } = readKey(exchange, isNative);
	record.key = from;
	exchange.key = value;
	return refusalOf(value, place, { goodKey: state.key, tasks: state.tasks.values() });
}

/** Whether there is such a key, whatever it may do. */
const isKnown = (value, goodKey) =>
	value === goodKey || BUDGET_KEY.test(value) || Object.hasOwn(KEYS, value);

const hasNativeHeader = (headers) => Object.keys(headers).some((name) => NATIVE_HEADER.test(name));

module.exports = { KEYS, readKey, refused, isKnown, hasNativeHeader };
