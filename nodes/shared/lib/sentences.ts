/** The parts that say something, each closed with a full stop. */
export function sentences(...parts: Array<string | undefined>): string | undefined {
	const said = parts.filter((part): part is string => part !== undefined && part !== '');
	return said.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(' ') || undefined;
}

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
