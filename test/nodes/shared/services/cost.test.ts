import type { Connection } from '../../../../nodes/shared/services/connection';
import { type Cost, createPrices, readCharge } from '../../../../nodes/shared/services/cost';

const status = (fields: object) => ({
	success: true,
	data: { quota_per_unit: 500_000, ...fields },
});
const CUSTOM = { custom_currency_symbol: '¤', custom_currency_exchange_rate: 2 };

it.each<[object, Omit<Cost, 'kind'> | undefined, httpStatus?: number]>([
	[{}, { value: 0.625, unit: 'USD' }],
	[
		{ quota_display_type: 'CNY', usd_exchange_rate: 7.3 },
		{ value: 4.5625, unit: 'CNY' },
	],
	[{ quota_display_type: 'TOKENS' }, { value: 312_500, unit: 'tokens' }],
	[
		{ quota_display_type: 'CUSTOM', ...CUSTOM },
		{ value: 1.25, unit: '¤' },
	],
	[{ quota_display_type: 'constructor' }, { value: 0.625, unit: 'USD' }],
	// Nothing is invented.
	[{ quota_per_unit: 0 }, undefined],
	[{}, undefined, 403],
])('what a charge is worth at %j is asked for once', async (fields, expected, httpStatus = 200) => {
	const asked: string[] = [];
	const send: Connection['send'] = async ({ path }) => {
		asked.push(path);
		return { status: httpStatus, headers: {}, body: JSON.stringify(status(fields)) };
	};
	const toCost = createPrices({ send });
	const charge = { quota: 312_500, settledLater: false };
	const [cost] = await Promise.all([toCost(charge, Infinity), toCost(charge, Infinity)]);
	expect(cost).toEqual(expected && { ...expected, kind: 'final' });
	expect(asked).toEqual(['/api/status']);
});

it('the status is asked for again by the next video after an outage, and then no more', async () => {
	const codes = [503, 200];
	const asked: string[] = [];
	const send: Connection['send'] = async ({ path }) => ({
		...{ status: codes[asked.push(path) - 1], headers: {}, body: JSON.stringify(status({})) },
	});
	const toCost = createPrices({ send });
	const price = async () => (await toCost({ quota: 500_000, settledLater: false }, 1_000))?.value;
	expect(await Promise.all([price(), price()])).toEqual([undefined, undefined]);
	expect([await price(), await price()]).toEqual([1, 1]);
	expect(asked).toHaveLength(codes.length);
});

it('a charge is final, but for channels that settle by tokens and those that nobody knows', () => {
	expect(readCharge({ quota: 5, platform: '50' })).toEqual({ quota: 5, settledLater: false });
	for (const platform of ['45', '54', undefined]) {
		expect(readCharge({ quota: 5, platform })).toEqual({ quota: 5, settledLater: true });
	}
	expect(readCharge({ quota: 0, platform: '50' })).toBeUndefined();
});
