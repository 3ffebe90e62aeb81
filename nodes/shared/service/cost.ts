import { isObject, parseJson, toText } from '../lib/json';
import type { Connection } from './connection';
import { isNoAnswer, MAX_RECORD_BYTES, type NoAnswer, type ServiceAnswer } from './http';

/** The cost of a render, in the unit that the service shows to people. */
export interface Cost {
	value: number;
	/** `USD`, `CNY`, `tokens`, or a symbol that the operator has chosen. */
	unit: string;
	/** `estimate`: the amount charged at the submit; the service settles it later. */
	kind: 'estimate' | 'final';
}

/** The charge in a record: a number in the gateway's own units. */
export interface Charge {
	quota: number;
	settledLater: boolean;
}

/** The worth of one of the gateway's own units. */
interface Worth {
	perQuota: number;
	unit: string;
}

const TIMEOUT_MS = 30_000;

/** Channels of the gateway that bill by the vendor's tokens once the render is done. */
const SETTLED_LATER = new Set(['45', '54']);

/** Returns the charge in a record. A record that does not tell also says 0, so 0 does not mean free. */
export function readCharge({ quota, platform }: Record<string, unknown>): Charge | undefined {
	if (typeof quota !== 'number' || !(quota > 0)) return undefined;
	const channel = toText(platform);
	return { quota, settledLater: channel === undefined || SETTLED_LATER.has(channel) };
}

/** Returns a function that prices charges; it asks the gateway's public status once, at the first. */
export function createPrices({ send }: Pick<Connection, 'send'>) {
	let worth: Promise<Worth | undefined> | undefined;
	const ask = async (limitMs: number | undefined) =>
		readWorth(
			await send({
				method: 'GET',
				path: '/api/status',
				timeoutMs: TIMEOUT_MS,
				limitMs,
				maxBytes: MAX_RECORD_BYTES,
			}),
		);
	/**
	 * Resolves to `undefined` if the deployment does not tell what its units are worth.
	 *
	 * @param limitMs how long the first caller can wait for the status, in milliseconds
	 */
	return async ({ quota, settledLater }: Charge, limitMs?: number): Promise<Cost | undefined> => {
		const known = await (worth ??= ask(limitMs));
		if (!known) return undefined;
		const value = Number((quota * known.perQuota).toFixed(6));
		// A cost too small to be written is not free.
		if (toPositive(value) === undefined) return undefined;
		return { value, unit: known.unit, kind: settledLater ? 'estimate' : 'final' };
	};
}

/** Reads `{data: {quota_per_unit, quota_display_type, ...}}`; returns `undefined` for anything else. */
function readWorth(answer: ServiceAnswer | NoAnswer): Worth | undefined {
	if (isNoAnswer(answer) || answer.status >= 300) return undefined;
	const parsed = parseJson(answer.body);
	const status = isObject(parsed) && isObject(parsed.data) ? parsed.data : {};
	const perUnit = toPositive(status.quota_per_unit);
	if (perUnit === undefined) return undefined;
	const { usd_exchange_rate, custom_currency_exchange_rate, custom_currency_symbol } = status;
	switch (status.quota_display_type) {
		case 'TOKENS':
			return { perQuota: 1, unit: 'tokens' };
		case 'CNY':
			return toWorth(perUnit, usd_exchange_rate, 'CNY');
		case 'CUSTOM':
			return toWorth(perUnit, custom_currency_exchange_rate, toText(custom_currency_symbol));
	}
	return { perQuota: 1 / perUnit, unit: 'USD' };
}

function toWorth(perUnit: number, rate: unknown, unit: string | undefined): Worth | undefined {
	const known = toPositive(rate);
	return known === undefined || unit === undefined
		? undefined
		: { perQuota: known / perUnit, unit };
}

const toPositive = (value: unknown) =>
	typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;
