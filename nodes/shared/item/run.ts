import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { oneLine } from '../lib/text';
import { createClock } from '../lib/time';
import { createRedaction } from '../service/redact';
import type { UnclearSubmit } from '../service/reason';

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

/** One execution of a node over all its items, with everything they share. */
export type Run = ReturnType<typeof createRun>;

/** In milliseconds. An agent can ask again by itself, so it need not wait longer. */
const AGENT_PAUSE_MS = 10_000;

/**
 * @param credential the type of the credential that the node uses; '' if it needs none
 * @param fields the node's parameters as the editor shows them, with labels and defaults
 * @param submits whether the node submits videos, and so says of each item whether it is billed
 */
export function createRun(
	context: IExecuteFunctions,
	credential: string,
	fields: INodeProperties[],
	{ submits = false } = {},
) {
	const halt = new AbortController();
	const stop = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const signal = AbortSignal.any([stop, halt.signal]);
	const stopsOnFailure = !context.continueOnFail();
	const forAgent = isForAgent(context);
	const { name, parameters, onError } = context.getNode();
	const redaction = createRedaction();
	const say = (message: string) => oneLine(`${name}: ${redaction.redact(message)}`);
	const { logger } = context;
	return {
		context,
		name,
		credential,
		fields,
		submits,
		/** The parameters as the person wrote them, expressions included. */
		parameters: parameters as IDataObject,
		items: context.getInputData(),
		/** How often this node has run before in this execution, as in a loop. */
		runIndex: context.getWorkflowDataProxy(0).$runIndex as number,
		/** Its pauses end when `signal` fires. */
		clock: createClock(signal),
		/** Fires when somebody stops the execution. */
		stop,
		/** Fires on Stop, and when the first failing item ends the run; nothing new begins after that. */
		signal,
		/** Called for each failing item, as soon as its failure is known. */
		onFailure() {
			if (stopsOnFailure) halt.abort();
		},
		/** On Error is Stop Workflow: a failing item ends the run. */
		stopsOnFailure,
		/** On Error is Continue (using error output). */
		hasErrorOutput: onError === 'continueErrorOutput',
		/** An AI agent called the node as a tool. */
		forAgent,
		/** The longest wait before another try, in milliseconds. */
		maxPauseMs: forAgent ? AGENT_PAUSE_MS : Infinity,
		/** By item, as soon as they are known. */
		taskIds: new Map<number, string>(),
		/** By item, as soon as it is read. */
		summaries: new Map<number, Summary>(),
		/** The failures of items whose earlier submit was unclear: no later failure may hide them. */
		unclear: new Map<number, UnclearSubmit>(),
		/** Removes the keys of this run, once they are read, from what n8n stores and people see. */
		redaction,
		/** Tells people more than the items do, through n8n's log and hints in the editor. */
		report: {
			debug: (message: string) => logger.debug(say(message)),
			info: (message: string) => logger.info(say(message)),
			warn: (message: string) => logger.warn(say(message)),
			/** n8n treats the message as HTML, so nothing from outside goes in. */
			hint: (message: string, type: 'info' | 'warning') =>
				context.addExecutionHints({
					message: redaction.redact(message),
					type,
					location: 'outputPane',
				}),
			/** Writes to the browser's console during a manual run. */
			browser: (message: string) => context.sendMessageToUI(say(message)),
		},
	};
}

/** Returns whether somebody waits at a Chat Trigger or a Webhook in streaming mode. */
export const isStreamed = ({ context }: Run): boolean =>
	'isStreaming' in context && context.isStreaming();

/** Returns whether the node itself answers who waits there, and not an agent. */
export const isHeard = (run: Run): boolean => !run.forAgent && isStreamed(run);

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
