import type { INodeProperties } from 'n8n-workflow';

export const aspectRatioField: INodeProperties = {
	displayName: 'Aspect Ratio',
	name: 'aspectRatio',
	type: 'options',
	options: [
		{ name: '1:1', value: '1:1' },
		{ name: '1:4', value: '1:4' },
		{ name: '1:8', value: '1:8' },
		{ name: '16:9', value: '16:9' },
		{ name: '2:3', value: '2:3' },
		{ name: '21:9', value: '21:9' },
		{ name: '3:2', value: '3:2' },
		{ name: '3:4', value: '3:4' },
		{ name: '4:1', value: '4:1' },
		{ name: '4:3', value: '4:3' },
		{ name: '4:5', value: '4:5' },
		{ name: '5:4', value: '5:4' },
		{ name: '8:1', value: '8:1' },
		{ name: '9:16', value: '9:16' },
	],
	default: '1:1',
	description: 'The shape of generated images, for models that generate them',
};

/** What Media Type has beside the types themselves. */
export const BY_ADDRESS = 'byAddress';

export const fileUrlsField: INodeProperties = {
	displayName: 'File URLs',
	name: 'fileUrls',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add File URL',
	default: {},
	description:
		'Files that the model reads from their addresses, such as YouTube videos. They do not pass through n8n and do not count towards the limit of Input Binary Fields. Not every model opens every address.',
	options: [
		{
			displayName: 'File',
			name: 'files',
			values: [
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://www.youtube.com/watch?v=9hE5-98ZeCg',
					description:
						'The address of the file: https, a YouTube video, or gs:// for Google Cloud Storage. An expression can also give an array of addresses.',
				},
				{
					displayName: 'Media Type',
					name: 'mediaType',
					type: 'options',
					options: [
						{ name: 'By Address', value: 'byAddress', description: 'As the end of the URL says' },
						{ name: 'CSV', value: 'text/csv' },
						{ name: 'FLAC Audio', value: 'audio/flac' },
						{ name: 'HTML', value: 'text/html' },
						{ name: 'JPEG Image', value: 'image/jpeg' },
						{ name: 'MOV Video', value: 'video/quicktime' },
						{ name: 'MP3 Audio', value: 'audio/mp3' },
						{ name: 'MP4 Video', value: 'video/mp4' },
						{ name: 'OGG Audio', value: 'audio/ogg' },
						{ name: 'PDF', value: 'application/pdf' },
						{ name: 'PNG Image', value: 'image/png' },
						{ name: 'Text', value: 'text/plain' },
						{ name: 'WAV Audio', value: 'audio/wav' },
						{ name: 'WebM Video', value: 'video/webm' },
						{ name: 'WebP Image', value: 'image/webp' },
					],
					default: 'byAddress',
					description:
						'What type of file it is. An expression can give any other type, such as audio/aac.',
				},
			],
		},
	],
};

export const imageSizeField: INodeProperties = {
	displayName: 'Image Size',
	name: 'imageSize',
	type: 'options',
	options: [
		{ name: '1K', value: '1K' },
		{ name: '2K', value: '2K' },
		{ name: '4K', value: '4K' },
	],
	default: '1K',
	description: 'The size of generated images. Larger ones cost more. Not every model supports it.',
};
