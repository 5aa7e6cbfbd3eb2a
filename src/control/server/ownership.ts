import { OxideError } from '../../errors.ts';

/** Says which project a thing belongs to; null: there is no such thing. */
export interface Owners {
  projectOfSession(sessionId: string): Promise<string | null>;
  /** All projects that a schedule's targets are of. */
  projectsOfSchedule(scheduleId: string): Promise<readonly string[] | null>;
}

type Input = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Holds a call of a project's token to that project: every id in its input must lead there. A thing of another project
 * is refused in the words for a thing that is not there, so that nobody learns which ids exist.
 *
 * @param input as the action's schema gave it
 * @throws OxideError `unknown-project`, `unknown-session`, `unknown-schedule`; `forbidden` where the input names nothing
 *   by which the project could be told
 */
export async function assertOwn(input: unknown, projectId: string, owners: Owners): Promise<void> {
  const fields = isRecord(input) ? input : {};
  const targets = Array.isArray(fields.targets) ? fields.targets : [];
  const projects = [fields.project_id, ...targets.map((target) => (isRecord(target) ? target.project_id : target))];
  const named = projects.filter((value) => value !== undefined && value !== null);
  const foreign = named.find((value) => value !== projectId);
  if (foreign !== undefined) {
    throw unknown('project', foreign);
  }
  const { session_id, schedule_id } = fields;
  if (session_id !== undefined && session_id !== null) {
    if (typeof session_id !== 'string' || (await owners.projectOfSession(session_id)) !== projectId) {
      throw unknown('session', session_id);
    }
  }
  if (schedule_id !== undefined && schedule_id !== null) {
    const owned = typeof schedule_id === 'string' ? await owners.projectsOfSchedule(schedule_id) : null;
    if (owned === null || owned.length === 0 || owned.some((owner) => owner !== projectId)) {
      throw unknown('schedule', schedule_id);
    }
  }
  if (named.length === 0 && typeof session_id !== 'string' && typeof schedule_id !== 'string') {
    throw new OxideError('forbidden', 'A project’s token can do this for its own project only: name it.', {
      remedy: `Add "project_id": "${projectId}".`,
    });
  }
}

/** In the words of the parts that look these things up. */
function unknown(kind: 'project' | 'session' | 'schedule', id: unknown): OxideError {
  return new OxideError(`unknown-${kind}`, `There is no ${kind} '${String(id)}'.`);
}
