import { OxideError } from '../../errors.ts';
import type { Repository } from '../repository.ts';
import { knownRemote, type Remote, readRemote } from '../settings/remote.ts';
import { forceOf, isNamedWithPlus } from './push-force.ts';
import type { Force, PushPlan, RefUpdate } from './push-plan.ts';
import type { PushRequest } from './push-request.ts';
import { classifyChanges, type RefChange } from './update-kind.ts';

/** What git tells a pre-push hook: githooks(5). */
export interface PrePushCall {
  /** First argument: the remote's name, or the URL when the push named one. */
  readonly remote: string;
  /** Second argument: where it goes, after insteadOf and pushurl. */
  readonly url: string;
  /** Standard input, read to its end. */
  readonly lines: string;
  /** How the pushing git was called, from its command line; null where that can't be read. */
  readonly request: PushRequest | null;
}

/**
 * The plan of a push that is under way, from git's own list of updates. Exact about the remote's present state.
 * At most two git processes for the kinds of any number of refs up to about 4,000, besides the configuration.
 *
 * @throws OxideError `hook-input` when the lines are not what githooks(5) says
 */
export async function planFromHookLines(call: PrePushCall, repository: Repository): Promise<PushPlan> {
  const changes = parsePrePushLines(call.lines);
  const [config, kinds] = await Promise.all([repository.config(), classifyChanges(repository, changes)]);
  const remote = readRemote(config, call.remote);
  const place = { ...remote, pushUrls: [...remote.pushUrls, call.url] };
  const { request } = call;
  const mirror = remote.mirror || request?.mirror === true;
  const updates = changes.map((change, index): RefUpdate => {
    const { localRef, remoteRef, newOid: localOid, oldOid: remoteOid } = change;
    const force = mirror ? 'unconditional' : request === null ? 'undetermined' : forceOfChange(change, request, remote);
    return { localRef, localOid, remoteRef, remoteOid, kind: kinds[index] ?? 'unknown', force };
  });
  return {
    remote: knownRemote(config, place, repository.workTree ?? repository.gitDir)?.name ?? null,
    url: call.url,
    furtherUrls: [],
    updates,
    mirror,
    verify: true,
    dryRun: request?.dryRun ?? false,
    refusal: null,
  };
}

function forceOfChange(change: HookLine, request: PushRequest, remote: Remote): Force {
  return forceOf(request, change.remoteRef, isNamedWithPlus(request, remote, change));
}

/**
 * The plan of a push that a server receives: githooks(5) pre-receive. The pushing git's options are not known here,
 * and every object is.
 *
 * @param lines standard input, read to its end
 * @throws OxideError `hook-input`
 */
export async function planFromReceivedLines(lines: string, repository: Repository): Promise<PushPlan> {
  const changes = parsePreReceiveLines(lines);
  const kinds = await classifyChanges(repository, changes);
  const updates = changes.map(({ localRef, remoteRef, newOid, oldOid }, index): RefUpdate => {
    const kind = kinds[index] ?? 'unknown';
    return { localRef, localOid: newOid, remoteRef, remoteOid: oldOid, kind, force: 'undetermined' };
  });
  return {
    remote: null,
    url: repository.gitDir,
    furtherUrls: [],
    updates,
    mirror: false,
    verify: true,
    dryRun: false,
    refusal: null,
  };
}

interface HookLine extends RefChange {
  readonly localRef: string | null;
}

/**
 * `<local ref> <local oid> <remote ref> <remote oid>`. The local ref stands as it was typed and may contain spaces
 * (`HEAD^{/a b}`), even a newline, so lines are read from the right.
 */
export function parsePrePushLines(text: string): readonly HookLine[] {
  return parseLines(
    text,
    /^(.*) ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/s,
    ([localRef, newOid, remoteRef, oldOid]) => ({
      localRef: isZero(newOid) ? null : localRef,
      newOid: orNull(newOid),
      remoteRef,
      oldOid: orNull(oldOid),
    }),
  );
}

/** `<old oid> <new oid> <ref>` */
export function parsePreReceiveLines(text: string): readonly HookLine[] {
  return parseLines(text, /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (\S+)()$/, ([oldOid, newOid, remoteRef]) => ({
    localRef: orNull(newOid),
    newOid: orNull(newOid),
    remoteRef,
    oldOid: orNull(oldOid),
  }));
}

/** In characters: how far a local ref with newlines in it is followed. Longer ones are not what anybody typed. */
const maximumLine = 16 * 1024;

type Fields = readonly [string, string, string, string];

function parseLines(text: string, pattern: RegExp, read: (fields: Fields) => HookLine): readonly HookLine[] {
  const found: HookLine[] = [];
  let pending = '';
  for (const line of text.split('\n')) {
    pending = pending === '' ? line : `${pending}\n${line}`;
    const [, first, second, third, fourth] = pattern.exec(pending) ?? [];
    if (first !== undefined && second !== undefined && third !== undefined && fourth !== undefined) {
      found.push(read([first, second, third, fourth]));
      pending = '';
    } else if (pending.length > maximumLine) {
      throw noUpdate(pending);
    }
  }
  if (pending.trim() !== '') {
    throw noUpdate(pending);
  }
  return found;
}

/** Shows the beginning, without characters that would act on a terminal. */
function noUpdate(line: string): OxideError {
  const text = line.trim().replace(/[^\x20-\x7e]/g, '?');
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new OxideError('hook-input', `The hook got a line that is no ref update: '${shown}'.`, {
    remedy: 'This hook is called by git itself; see git help hooks.',
  });
}

/** git writes "no object" as zeros, 40 of them or 64. */
function isZero(oid: string): boolean {
  return /^0+$/.test(oid);
}

function orNull(oid: string): string | null {
  return isZero(oid) ? null : oid;
}
