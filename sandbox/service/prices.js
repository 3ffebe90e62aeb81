'use strict';

const { MODELS } = require('./namedModels');
const { ok } = require('./namedTasks');
const { parseJson } = require('./server');

// What services tell of a price before the order. The prices are examples.

const EXAMPLE = 0.05;

/** fal.ai/docs, platform APIs, 2026-11. */
function falPrices({ state, query: { endpoint_id = '' } }) {
	const { currency } = state.deployment;
	const prices = endpoint_id.split(',').flatMap((id) => {
		if (!MODELS.fal[id]) return [];
		const unit = /image$/.test(MODELS.fal[id].category) ? 'image' : 'second';
		return [{ endpoint_id: id, unit_price: EXAMPLE, unit, currency }];
	});
	return ok({ prices, next_cursor: null, has_more: false });
}

/** What kie.ai says of a price, in words. */
const KIE_WORDS = '60 credits a task (an example)';

function kiePrice({ params: { model } }) {
	if (!MODELS.kie[model]) return ok({ code: 404, msg: 'The model does not exist', data: null });
	return ok({ code: 200, msg: 'success', data: { model, pricingDesc: KIE_WORDS } });
}

/** Of the very inputs: a longer video costs more. */
function wavespeedPrice({ state, body }) {
	const { model_id, inputs = {} } = parseJson(body.toString()) ?? {};
	const known = MODELS.wavespeed[model_id];
	if (!known) return ok({ message: 'model not found' }, 404);
	const price = Number((known.price * ((inputs.duration ?? 5) / 5)).toFixed(4));
	return ok({
		...{ code: 200, message: 'success' },
		data: { price, discounted_price: price, currency: state.deployment.currency },
	});
}

module.exports = { falPrices, kiePrice, KIE_WORDS, wavespeedPrice };
