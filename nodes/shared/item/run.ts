import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { oneLine } from '../lib/text';
import { type Clock, createClock } from '../lib/time';
import { createRedaction, type Redaction, type Show } from '../service/redact';

/** One execution of a node over all its items, with everything they share. */
export interface Run {
	/** n8n's own context, for the files at the edge that ask n8n for something. */
	context: IExecuteFunctions;
	/** The node's name in the workflow. */
	name: string;
	/** The type of the credential that the node uses. */
	credential: string;
	/** The node's parameters as the editor shows them, with labels and defaults. */
	fields: INodeProperties[];
	/** The parameters as the person wrote them, expressions included. */
	parameters: IDataObject;
	items: INodeExecutionData[];
	/** Its pauses end when `signal` fires. */
	clock: Clock;
	/** Fires when somebody stops the execution. */
	stop: AbortSignal;
	/** Fires on Stop, and when the first failing item ends the run; nothing new begins after that. */
	signal: AbortSignal;
	/** Called for each failing item, as soon as its failure is known. */
	onFailure: () => void;
	/** On Error is Stop Workflow: a failing item ends the run. */
	stopsOnFailure: boolean;
	/** An AI agent called the node as a tool. */
	forAgent: boolean;
	/** The longest wait before another try, in milliseconds. */
	maxPauseMs: number;
	/** The task IDs by item, as soon as they are known, so that any later failure can name the ID. */
	taskIds: Map<number, string>;
	/** Knows the keys of this run, as soon as they are read. */
	redaction: Redaction;
	/** Removes the keys from everything that n8n stores and people see. */
	show: Show;
	/** Tells people more than the items do, through n8n's log and hints in the editor. */
	report: {
		debug: (message: string) => void;
		info: (message: string) => void;
		warn: (message: string) => void;
		/** Shows a hint above the node's output. n8n treats it as HTML, so nothing from outside goes in. */
		hint: (message: string, type: 'info' | 'warning') => void;
		/** Writes to the browser's console during a manual run. */
		browser: (message: string) => void;
	};
}

/** In milliseconds. An agent can ask again by itself, so it need not wait longer. */
const AGENT_PAUSE_MS = 10_000;

export function openRun(
	context: IExecuteFunctions,
	credential: string,
	fields: INodeProperties[],
): Run {
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const signal = AbortSignal.any([stop, halt.signal]);
	const stopsOnFailure = !context.continueOnFail();
	const forAgent = isForAgent(context);
	const { name, parameters } = context.getNode();
	const redaction = createRedaction();
	const say = (message: string) => oneLine(`${name}: ${redaction.redact(message)}`);
	const { logger } = context;
	return {
		context,
		name,
		credential,
		fields,
		parameters: parameters as IDataObject,
		items: context.getInputData(),
		clock: createClock(signal),
		stop,
		signal,
		onFailure: () => {
			if (stopsOnFailure) halt.abort();
		},
		stopsOnFailure,
		forAgent,
		maxPauseMs: forAgent ? AGENT_PAUSE_MS : Infinity,
		taskIds: new Map(),
		redaction,
		show: redaction.show,
		report: {
			debug: (message) => logger.debug(say(message)),
			info: (message) => logger.info(say(message)),
			warn: (message) => logger.warn(say(message)),
			hint: (message, type) =>
				context.addExecutionHints({
					message: redaction.redact(message),
					type,
					location: 'outputPane',
				}),
			browser: (message) => context.sendMessageToUI(say(message)),
		},
	};
}

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
