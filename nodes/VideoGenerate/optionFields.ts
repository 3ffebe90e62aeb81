import type { INodeProperties } from 'n8n-workflow';

import {
	allowPrivateField,
	includeOtherFieldsField,
	linkField,
	maxSizeField,
} from '../shared/fields/common';
import { familyFields } from './familyFields';

const downloading = { show: { '/downloadVideo': [true] }, hide: { '/wait': ['none'] } };
const waiting = { hide: { '/wait': ['none'] } };

const otherFields: INodeProperties[] = [
	{
		...allowPrivateField,
		description:
			'Whether a video, or an image that the node loads, may also come from a private network, for storage inside your own. The host of the Base URL is always allowed.',
	},
	{
		displayName: 'Batch Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 10,
		description:
			'How many requests to send to the service at the same time. The renders themselves all run in parallel. The value of the first item applies to all items.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to only read and check everything and return the request that would be sent. Nothing is submitted or billed. An image that the node loads from its URL is loaded.',
	},
	{
		displayName: 'Extra Fields (JSON)',
		name: 'extraFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "mode": "pro" }',
		description:
			'Additional fields for the request body. The service silently drops fields that it does not know. What contradicts another option is refused.',
	},
	{
		displayName: 'Head Start (Seconds)',
		name: 'headStart',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		displayOptions: { show: { '/wait': ['durable'] } },
		description:
			'How long to poll every few seconds before the execution goes to sleep. This occupies a worker, so use it only if renders are short.',
	},
	includeOtherFieldsField,
	{ ...linkField, displayOptions: downloading },
	{ ...maxSizeField, displayOptions: downloading },
	{
		displayName: 'Max Videos per Run',
		name: 'maxVideos',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description:
			"How many videos a run may submit: if there are more, all fail before the first is submitted. Videos that an earlier try has paid for do not count; those that are submitted again do, and so do all calls of one tool by an agent in one execution. 0 is no limit. The smallest value of all items applies.",
	},
	{
		displayName: 'Max Wait (Minutes)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30,
		displayOptions: waiting,
		description: 'How long to wait for a video before On Timeout applies',
	},
	{
		displayName: 'Metadata (JSON)',
		name: 'metadata',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "enhancePrompt": true }',
		description:
			"Options in the vendor's own spelling. The service silently drops what it does not know. What contradicts another option is refused.",
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: 'The item fails with the task ID; the render continues',
			},
			{
				name: 'Return Task',
				value: 'returnTask',
				description: 'The item is the unfinished task; follow it with Video Status',
			},
		],
		default: 'fail',
		displayOptions: waiting,
		description: 'What to do if a video is not ready after Max Wait',
	},
	{
		displayName: 'Output Binary Field',
		name: 'binaryProperty',
		type: 'string',
		default: 'data',
		displayOptions: { show: { '/downloadVideo': [true] } },
		description: 'The name of the output binary field to put the video in',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		displayOptions: waiting,
		description:
			'How long to wait before the first poll. The interval then grows to 10 seconds; a longer interval stays the same. With Durable, it only applies during Head Start.',
	},
	{
		displayName: 'Reuse Paid Task on Retry',
		name: 'reuseTask',
		type: 'boolean',
		default: true,
		description:
			'Whether a retry of this execution picks up the task that is already paid for instead of submitting a new one',
	},
	{
		displayName: 'Stream Progress',
		name: 'streamProgress',
		type: 'boolean',
		// There is one message for all items.
		noDataExpression: true,
		default: true,
		description:
			'Whether to tell in short lines how far the videos are, if the Response Mode of the Chat Trigger or Webhook is Streaming. If off, only the last node of a workflow says how they ended. The output is the same either way.',
	},
];

/** In the order of their display names, as n8n sorts collections. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...familyFields, ...otherFields].sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	),
};
