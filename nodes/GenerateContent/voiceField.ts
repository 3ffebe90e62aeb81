import type { INodeProperties } from 'n8n-workflow';

/** The prebuilt voices, and how the vendor describes each. */
const VOICES = {
	Achernar: 'Soft',
	Achird: 'Friendly',
	Algenib: 'Gravelly',
	Algieba: 'Smooth',
	Alnilam: 'Firm',
	Aoede: 'Breezy',
	Autonoe: 'Bright',
	Callirrhoe: 'Easy-going',
	Charon: 'Informative',
	Despina: 'Smooth',
	Enceladus: 'Breathy',
	Erinome: 'Clear',
	Fenrir: 'Excitable',
	Gacrux: 'Mature',
	Iapetus: 'Clear',
	Kore: 'Firm',
	Laomedeia: 'Upbeat',
	Leda: 'Youthful',
	Orus: 'Firm',
	Puck: 'Upbeat',
	Pulcherrima: 'Forward',
	Rasalgethi: 'Informative',
	Sadachbia: 'Lively',
	Sadaltager: 'Knowledgeable',
	Schedar: 'Even',
	Sulafat: 'Warm',
	Umbriel: 'Easy-going',
	Vindemiatrix: 'Gentle',
	Zephyr: 'Bright',
	Zubenelgenubi: 'Casual',
};

export const voiceField: INodeProperties = {
	displayName: 'Voice',
	name: 'voice',
	type: 'options',
	options: Object.entries(VOICES).map(([name, description]) => ({
		name,
		value: name,
		description,
	})),
	default: 'Kore',
	description:
		'The voice of generated speech, for models that speak. Set Response Modalities to Audio as well.',
};
