import type { ItemResult } from '../item/output';
import type { Outcome } from './render';
import { toRenderItem, type ItemLook } from './renderJson';
import { toSubmitFailure, toTaskFailure, type TaskWishes } from './taskFailure';

/** Of a job, what its item depends on. */
export interface ItemWishes extends TaskWishes, ItemLook {
	timeOutFails: boolean;
}

/** An outcome as an item or a failure; a job that was never submitted has neither. */
export function toItemResult(outcome: Outcome, wishes: ItemWishes): ItemResult | undefined {
	switch (outcome.state) {
		case 'notSubmitted':
			return undefined;
		case 'refused':
		case 'unclear':
			return { failure: toSubmitFailure(outcome) };
		case 'done':
		case 'submitted':
		case 'stopped':
		case 'open':
			return { json: toRenderItem(outcome.render, wishes) };
		case 'timedOut':
			if (!wishes.timeOutFails) return { json: toRenderItem(outcome.render, wishes) };
	}
	return { failure: toTaskFailure(outcome, wishes) };
}
