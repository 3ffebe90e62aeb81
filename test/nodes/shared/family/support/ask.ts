import type { IDataObject } from 'n8n-workflow';

import { findFamily } from '../../../../../nodes/shared/family/families';
import type { Value } from '../../../../../nodes/shared/family/family';
import { toRequest, type VideoSpec } from '../../../../../nodes/shared/family/toRequest';

export interface Asked {
	settings?: Record<string, Value>;
	pictures?: Partial<VideoSpec['pictures']>;
	byHand?: VideoSpec['byHand'];
	route?: string;
	/** `owned_by` in the service's list of models. */
	owner?: string;
}

interface Answered {
	/** The request besides model and prompt. */
	sent?: IDataObject;
	notes?: string[];
	refused?: string;
}

/** Returns what becomes of the video "A boat"; the label of a setting is its name. */
export function ask(model: string, { owner, pictures = {}, ...asked }: Asked): Answered {
	const notes: string[] = [];
	const refuse = (message: string, advice: string) => {
		throw new Error(`${message}. ${advice}`);
	};
	const editor = {
		label: (name: string) => name,
		refuse,
		note: (one: string) => void notes.push(one),
	};
	const video = {
		...{ model, prompt: 'A boat', settings: {}, byHand: {}, ...asked },
		pictures: { references: [], ...pictures },
	};
	try {
		const sent = toRequest(findFamily(model, owner), video, editor);
		delete sent.model;
		delete sent.prompt;
		return { sent, notes };
	} catch (error) {
		return { refused: (error as Error).message };
	}
}
