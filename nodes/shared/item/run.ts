import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { createClock, type Clock } from '../lib/clock';
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
	report: Report;
}

/** What people learn beside the items: from n8n's log, and from hints in the editor. */
export interface Report {
	debug: (message: string) => void;
	info: (message: string) => void;
	warn: (message: string) => void;
	/** Above the output of the node. n8n shows it as HTML: nothing from outside goes in. */
	hint: (message: string, type: 'info' | 'warning') => void;
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
		report: createReport(context, name),
	};
}

function createReport(context: IExecuteFunctions, name: string): Report {
	const { logger } = context;
	return {
		debug: (message) => logger.debug(`${name}: ${message}`),
		info: (message) => logger.info(`${name}: ${message}`),
		warn: (message) => logger.warn(`${name}: ${message}`),
		hint: (message, type) => context.addExecutionHints({ message, type, location: 'outputPane' }),
	};
}
