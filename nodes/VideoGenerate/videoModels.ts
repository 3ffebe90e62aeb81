import type { ModelKind, ShownModel } from '../shared/fields/searchModels';
import { findRow } from '../shared/models/families/families';
import { isVideoModel } from '../shared/models/isVideoModel';
import { RENDERS_FROM, toPlainName } from '../shared/models/names';
import type { ListedModel } from '../shared/services/contract';
import { isOfNewApi } from '../shared/services/newApi';
import { loadPrices, toShortPrice } from './price';

export const VIDEO_MODELS: ModelKind = {
	credential: 'videoGenerationApi',
	isOfKind: isVideoModel,
	documented: [
		'doubao-seedance-1-5-pro-251215',
		'dreamina-seedance-2-0-fast',
		'veo-3.1-fast-generate-001',
		'veo-3.1-lite-generate-001',
	],
	async toShown(connection, answer) {
		const priceOf = isOfNewApi(answer) ? await loadPrices(connection) : undefined;
		return (model) => (isVideoModel(model.id) ? toShown(model, priceOf) : { name: model.id });
	},
};

type PriceOf = Awaited<ReturnType<typeof loadPrices>>;

function toShown({ id, owned_by }: ListedModel, priceOf?: PriceOf): ShownModel {
	const family = findRow(id, owned_by);
	if (!family) return { name: id };
	const plain = toPlainName(id);
	const from = Object.entries(RENDERS_FROM).find(([, pattern]) => pattern.test(plain))?.[0];
	const facts = [family.label, from && `${from} to video`].filter(Boolean).join(', ');
	const name = `${id} (${facts})`;
	// The editor keeps the name beside the settings, so it says no price that depends on them.
	const price = priceOf?.(family, id, { duration: 1 });
	const unit = family.price === 'second' ? 's' : family.price;
	return { name, price: price && `${toShortPrice(price)}/${unit}` };
}
