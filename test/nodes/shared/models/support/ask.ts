import type { IDataObject } from 'n8n-workflow';

import { findRow } from '../../../../../nodes/shared/models/families/families';
import { UNKNOWN_MODEL } from '../../../../../nodes/shared/models/families/ways';
import type { VideoSpec } from '../../../../../nodes/shared/models/place';
import type { Takes } from '../../../../../nodes/shared/models/takes';
import { toRequest } from '../../../../../nodes/shared/models/toRequest';

export interface Asked extends Omit<Partial<VideoSpec>, 'pictures'> {
	pictures?: Partial<VideoSpec['pictures']>;
}

interface Answered {
	/** The request besides model and prompt. */
	sent?: IDataObject;
	notes?: string[];
	refused?: string;
}

/** Returns what becomes of the video "A boat" by a row, or by the one of the model. */
export function ask(model: string, asked: Asked, row?: Takes): Answered {
	const found = row ?? findRow(model, asked.owner) ?? UNKNOWN_MODEL;
	const written = toRequest(found, {
		...{ model, prompt: 'A boat', settings: {}, byHand: {}, ...asked },
		pictures: { references: [], ...asked.pictures },
	});
	if ('refusal' in written) {
		const { message, advice } = written.refusal;
		return { refused: `${message}. ${advice}` };
	}
	const sent = { ...written.request };
	delete sent.model;
	delete sent.prompt;
	return { sent, notes: written.notes };
}
