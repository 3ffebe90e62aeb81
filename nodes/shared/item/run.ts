import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { oneLine } from '../lib/text';
import { type Clock, createClock } from '../lib/time';
import { createRedaction, type Redaction, type Show } from '../service/redact';
import { isForAgent, maxPauseMsFor } from './audience';

/** One execution of a node over all its items, and what all of them share. */
export interface Run {
	/** n8n's own context, for the files at the edge that ask n8n for something. */
	context: IExecuteFunctions;
	/** The name that the node has in the workflow. */
	name: string;
	/** Type of the credential that the node uses. */
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
	/** Told of each failing item, as soon as it is known. */
	onFailure: () => void;
	/** On Error is Stop Workflow: a failing item ends the run. */
	stopsOnFailure: boolean;
	/** An AI agent asked, by the node as a tool. */
	forAgent: boolean;
	/** How long whoever asked waits, at most, before something is tried again; in milliseconds. */
	maxPauseMs: number;
	/** Task ids by item, as soon as they are known: whatever fails then, the id is told. */
	taskIds: Map<number, string>;
	/** Knows the keys of this run, as soon as they are read. */
	redaction: Redaction;
	/** What n8n stores and people see goes through it; what is still to be read does not. */
	show: Show;
	report: Report;
}

/** What people learn beside the items: from n8n's log, and from hints in the editor. */
export interface Report {
	debug: (message: string) => void;
	info: (message: string) => void;
	warn: (message: string) => void;
	/** Above the output of the node. n8n shows it as HTML: nothing from outside goes in. */
	hint: (message: string, type: 'info' | 'warning') => void;
	/** In the browser's console during a manual run, and only there. */
	browser: (message: string) => void;
}

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
	return {
		...{
			context,
			name,
			credential,
			fields,
			parameters: parameters as IDataObject,
			stop,
			signal,
			stopsOnFailure,
			forAgent,
		},
		items: context.getInputData(),
		clock: createClock(signal),
		onFailure: () => {
			if (stopsOnFailure) halt.abort();
		},
		maxPauseMs: maxPauseMsFor(forAgent),
		taskIds: new Map(),
		redaction,
		show: redaction.show,
		report: createReport(context, name, redaction),
	};
}

function createReport(
	context: IExecuteFunctions,
	name: string,
	{ redact }: Pick<Redaction, 'redact'>,
): Report {
	const { logger } = context;
	const say = (message: string) => oneLine(`${name}: ${redact(message)}`);
	return {
		debug: (message) => logger.debug(say(message)),
		info: (message) => logger.info(say(message)),
		warn: (message) => logger.warn(say(message)),
		hint: (message, type) =>
			context.addExecutionHints({ message: redact(message), type, location: 'outputPane' }),
		browser: (message) => context.sendMessageToUI(say(message)),
	};
}
