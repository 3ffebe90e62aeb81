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

/** One execution of a node over all its items, with all that they share. */
export interface Run {
	/** n8n's own context, for the files at the edge that ask n8n for something. */
	context: IExecuteFunctions;
	/** The name that the node has in the workflow. */
	name: string;
	/** The type of the credential that the node uses. */
	credential: string;
	/** The node's parameters as the editor shows them: their labels and defaults. */
	fields: INodeProperties[];
	/** As the person wrote them, expressions and all. */
	parameters: IDataObject;
	items: INodeExecutionData[];
	/** Ends by `signal`. */
	clock: Clock;
	/** Fires when somebody stops the execution. */
	stop: AbortSignal;
	/** Fires on Stop, and when the first failing item ends the run: nothing new is begun then. */
	signal: AbortSignal;
	/** Is called for each failing item, as soon as it is known to fail. */
	onFailure: () => void;
	/** On Error is Stop Workflow: a failing item ends the run. */
	stopsOnFailure: boolean;
	/** An AI agent asked, by the node as a tool. */
	forAgent: boolean;
	/** How long whoever asked waits, at most, before something is tried again; in milliseconds. */
	maxPauseMs: number;
	/** The task IDs by item, as soon as they are known: whatever fails then, the ID is told. */
	taskIds: Map<number, string>;
	/** Knows the keys of this run, as soon as they are read. */
	redaction: Redaction;
	/** Takes the keys out of what n8n stores and people see. */
	show: Show;
	/** Tells people more than the items do: by n8n's log and by hints in the editor. */
	report: {
		debug: (message: string) => void;
		info: (message: string) => void;
		warn: (message: string) => void;
		/** Shows it above the output of the node. n8n takes it for HTML: nothing from outside goes in. */
		hint: (message: string, type: 'info' | 'warning') => void;
		/** Writes into the browser's console, during a manual run. */
		browser: (message: string) => void;
	};
}

/** An agent can ask again by itself, so it is not made to wait longer; in milliseconds. */
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
 * Whether an agent asked. Where the agent itself calls the node, n8n says so by a method (absent in
 * older versions). Current agents let n8n's engine run it: the method says no then, and the node
 * carries a mark where its output goes. As a tool it is also saved under a type of its own, in all
 * versions.
 */
function isForAgent(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return true;
	const { rewireOutputLogTo, type } = context.getNode();
	return rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
}
