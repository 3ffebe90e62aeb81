import type { INodeProperties } from 'n8n-workflow';

/** One picture, by the way it is given; for the image itself and for each further one. */
export const imageFields: INodeProperties[] = [
	{
		displayName: 'Image URL',
		name: 'image',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/product.png',
		displayOptions: { show: { imageSource: ['url'] } },
		description:
			'A web address that can be opened without signing in. Where a model does not open addresses, the node loads the image.',
	},
	{
		displayName: 'Image Data',
		name: 'image',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. data:image/png;base64,iVBORw0KGgo...',
		displayOptions: { show: { imageSource: ['base64'] } },
		description: 'The image as base64 text or as a data URI',
	},
	{
		displayName: 'Input Binary Field',
		name: 'imageBinaryProperty',
		type: 'string',
		default: 'data',
		required: true,
		hint: 'The name of the input binary field containing the image',
		displayOptions: { show: { imageSource: ['binary'] } },
	},
];

export const furtherImagesField: INodeProperties = {
	displayName: 'Further Images',
	name: 'furtherImages',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Image',
	default: {},
	description:
		'A last frame, or images that show who or what is to be seen. Refused for models that do not take them.',
	options: [
		{
			displayName: 'Image',
			name: 'image',
			values: [
				{
					displayName: 'Role',
					name: 'role',
					type: 'options',
					options: [
						{
							name: 'Last Frame',
							value: 'lastFrame',
							description:
								'Where the video ends. For Seedance, Kling, Vidu, Hailuo, Wan and Jimeng models.',
						},
						{
							name: 'Reference',
							value: 'reference',
							description: 'Who or what is to be seen. For Seedance, Vidu and Hailuo models.',
						},
					],
					default: 'lastFrame',
				},
				{
					displayName: 'Image Source',
					name: 'imageSource',
					type: 'options',
					options: [
						{ name: 'Base64 or Data URI', value: 'base64' },
						{ name: 'Binary Field', value: 'binary' },
						{ name: 'URL', value: 'url' },
					],
					default: 'binary',
				},
				...imageFields,
			],
		},
	],
};
