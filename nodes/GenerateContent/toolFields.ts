import type { INodeProperties } from 'n8n-workflow';

export const builtInToolsField: INodeProperties = {
	displayName: 'Built-in Tools',
	name: 'tools',
	type: 'multiOptions',
	options: [
		{
			name: 'Code Execution',
			value: 'codeExecution',
			description: 'Allow the model to write and run code',
		},
		{
			name: 'Google Maps',
			value: 'googleMaps',
			description: 'Allow the model to look up places, near Location Latitude and Longitude if set',
		},
		{
			name: 'Google Search',
			value: 'googleSearch',
			description: 'Allow the model to search the web',
		},
		{
			name: 'URL Context',
			value: 'urlContext',
			description: 'Allow the model to read web pages mentioned in the prompt',
		},
	],
	default: [],
	description:
		'Tools that the service runs for the model. They may cost extra. Not every model supports it.',
};

export const latitudeField: INodeProperties = {
	displayName: 'Location Latitude',
	name: 'latitude',
	type: 'number',
	typeOptions: { minValue: -90, maxValue: 90, numberPrecision: 6 },
	default: 0,
	description: 'The place that Google Maps searches around. Set Location Longitude as well.',
};

export const longitudeField: INodeProperties = {
	displayName: 'Location Longitude',
	name: 'longitude',
	type: 'number',
	typeOptions: { minValue: -180, maxValue: 180, numberPrecision: 6 },
	default: 0,
	description: 'The place that Google Maps searches around. Set Location Latitude as well.',
};
