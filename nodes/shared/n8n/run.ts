import type {
	ChunkType,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { Failure } from '../failure/failure';
import { createRedaction } from '../http/redact';
import { oneLine, toHtml } from '../lib/text';
import { type Clock, createClock } from '../lib/time';
import { type Connection, openConnection } from '../services/connection';

/** What an item asks for, in few words, so that people recognise it. */
export interface Summary {
	model?: string;
	/** The beginning of the prompt. */
	prompt?: string;
	/** The place in its film, if the item is a shot of one. */
	place?: Place;
	/** The fields that the item passes on if it fails; missing if n8n adds them at an error output. */
	carried?: IDataObject;
}

/** The place of a shot in its film, counted from 1, as items have it. */
export type Place = Record<'shot_number' | 'shot_count', number>;

/** What all items of one run of a node share. A function takes what it uses of it. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** Of the node. */
	readonly name: string;
	/** The node's parameters as the editor shows them, with labels and defaults. */
	readonly fields: INodeProperties[];
	/** The parameters as the person typed them, expressions included. */
	readonly parameters: IDataObject;
	readonly items: INodeExecutionData[];
	/** How often this node has run before in this execution, as in a loop. */
	readonly runIndex: number;
	/** The node submits videos, and so says of each item whether it is billed. */
	readonly submits: boolean;
	/** On Error is Stop Workflow: a failing item ends the run. */
	readonly stopsOnFailure: boolean;
	/** On Error is Continue (using error output). */
	readonly hasErrorOutput: boolean;
	/** An AI agent called the node as a tool. */
	readonly forAgent: boolean;
	/** The longest wait before another try, in milliseconds. */
	readonly maxPauseMs: number;
	/** Its pauses end when `signal` fires. */
	readonly clock: Clock;
	/** Fires when somebody stops the execution. */
	readonly stop: AbortSignal;
	/** Fires on Stop, and when the first failing item ends the run; nothing new begins after that. */
	readonly signal: AbortSignal;
	/** Called for each failing item, as soon as its failure is known. */
	readonly onFailure: () => void;
	/** Opens the node's credential, once for the run. */
	readonly connect: () => Promise<Connection>;
	/** Removes the keys of this run, once they are read, from what n8n stores and people see. */
	readonly redaction: ReturnType<typeof createRedaction>;
	readonly report: ReturnType<typeof createReport>;
	/** Writes to people who wait at a Chat Trigger or a Webhook in streaming mode; missing without them. */
	readonly sendChunk?: (type: ChunkType, content?: string) => Promise<void>;
	/** By item, as soon as they are known. */
	readonly taskIds: Map<number, string>;
	/** By item, as soon as it is read. */
	readonly summaries: Map<number, Summary>;
	/** The failures of items whose earlier submit was unclear: no later failure may hide them. */
	readonly unclear: Map<number, Failure>;
}

/** In milliseconds. An agent can ask again by itself, so it need not wait longer. */
const AGENT_PAUSE_MS = 10_000;

/** @param credential the type of the credential that the node uses; '' if it needs none */
export function createRun(
	context: IExecuteFunctions,
	credential: string,
	fields: INodeProperties[],
	{ submits = false } = {},
): Run {
	const { name, parameters, onError } = context.getNode();
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const signal = AbortSignal.any([stop, halt.signal]);
	const stopsOnFailure = !context.continueOnFail();
	const forAgent = isForAgent(context);
	const redaction = createRedaction();
	let connection: Promise<Connection> | undefined;
	return {
		context,
		name,
		fields,
		parameters: parameters as IDataObject,
		items: context.getInputData(),
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		submits,
		stopsOnFailure,
		hasErrorOutput: onError === 'continueErrorOutput',
		forAgent,
		maxPauseMs: forAgent ? AGENT_PAUSE_MS : Infinity,
		clock: createClock(signal),
		stop,
		signal,
		onFailure() {
			if (stopsOnFailure) halt.abort();
		},
		connect: async () => await (connection ??= openConnection(context, credential, redaction)),
		redaction,
		report: createReport(context, name, redaction.redact),
		sendChunk: findChat(context),
		taskIds: new Map(),
		summaries: new Map(),
		unclear: new Map(),
	};
}

/** Tells people more than the items do. Keys are taken out. */
function createReport(context: IExecuteFunctions, name: string, redact: (text: string) => string) {
	const { logger } = context;
	const say = (message: string) => oneLine(`${name}: ${redact(message)}`);
	return {
		debug: (message: string) => logger.debug(say(message)),
		info: (message: string) => logger.info(say(message)),
		warn: (message: string) => logger.warn(say(message)),
		/** n8n's editor shows it as HTML, with links and pictures (`v-n8n-html` in RunDataHints.vue). */
		hint: (text: string, type: 'info' | 'warning') =>
			context.addExecutionHints({ message: toHtml(redact(text)), type, location: 'outputPane' }),
		/** Writes to the browser's console during a manual run. */
		browser: (message: string) => context.sendMessageToUI(say(message)),
	};
}

/** `isStreaming` and `sendChunk` are absent in older n8n. */
function findChat(context: IExecuteFunctions): Run['sendChunk'] {
	if (!('isStreaming' in context) || !context.isStreaming()) return undefined;
	// It returns a promise, although n8n's types do not say so.
	return async (type, content) => await context.sendChunk(type, 0, content);
}

/** Returns whether people hear the node itself, and not an agent. */
export const isHeard = ({ forAgent, sendChunk }: Pick<Run, 'forAgent' | 'sendChunk'>): boolean =>
	!forAgent && sendChunk !== undefined;

/**
 * Returns whether an agent called the node. If the agent itself runs the node, n8n says so through
 * a method (absent in older versions). Current agents let n8n's engine run the node: the method
 * then says no, but the node carries a mark that tells where its output goes. A node used as a tool
 * also has a type name of its own, in all versions.
 */
function isForAgent(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return true;
	const { rewireOutputLogTo, type } = context.getNode();
	return rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
}
