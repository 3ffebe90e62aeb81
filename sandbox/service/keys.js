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

/** In the shape of the address: of a business error for video. */
const unpaid = (code, message) => (place) => {
	if (place !== 'submit' && place !== 'text') return undefined;
	return (place === 'submit' ? business : gateway)(403, code, message);
};

const banned = () => gateway(403, '', 'The account is banned');
const unreadable = (place) =>
	place === 'poll' ? gateway(403, '', 'This token has no access to model ') : undefined;

/** What a key meets at a place ('submit', 'poll', 'content', 'text' or 'list'), by its name. */
const KEYS = {
	'sandbox-disabled': ['401 everywhere: disabled', invalid],
	'sandbox-expired': ['401 everywhere: expired', invalid],
	'sandbox-no-quota': [
		'403 on whatever costs money: the account is out of credit',
		unpaid('insufficient_user_quota', OUT_OF_CREDIT),
	],
	'sandbox-little-quota': [
		"403 on whatever costs money: the key's quota does not reach for it",
		unpaid('pre_consume_token_quota_failed', TOO_LITTLE),
	],
	'sandbox-banned': ['403 everywhere: the account is banned', banned],
	'sandbox-poll-forbidden': ['submits and downloads, but 403 on every poll', unreadable],
	'sandbox-budget-2': ['creates 2 tasks (or any other number in the name), then 401 everywhere'],
};

/** Which of the request's credentials the service reads on this address, and its value. */
function readKey({ headers: { authorization, ...headers }, query }, isNative) {
	const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
	if (isNative) {
		const name = Object.keys(headers).find((header) => NATIVE_HEADER.test(header));
		if (name) return { from: 'header', value: String(headers[name]) };
		if (query.key) return { from: 'query', value: String(query.key) };
	}
	return bearer ? { from: 'bearer', value: bearer } : { from: 'none', value: '' };
}

/** The refusal for this request's key, if any; its record tells which credential was read. */
function refused(exchange, place, isNative = false) {
	const { state, record } = exchange;
	const { from, value } = readKey(exchange, isNative);
	record.key = from;
	exchange.key = value;
	if (value === state.key) return undefined;
	const budget = BUDGET_KEY.exec(value)?.[1];
	if (budget !== undefined) {
		const made = [...state.tasks.values()].filter(({ key }) => key === value).length;
		return made < Number(budget) ? undefined : invalid();
	}
	const [, refuse = invalid] = Object.hasOwn(KEYS, value) ? KEYS[value] : [];
	return refuse(place);
}

const hasNativeHeader = (headers) => Object.keys(headers).some((name) => NATIVE_HEADER.test(name));

module.exports = { KEYS, refused, hasNativeHeader };
