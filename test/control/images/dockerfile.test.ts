import { describe, expect, it } from 'vitest';
import { dockerfileNeeds } from '../../../src/control/images/dockerfile.ts';

describe('what a Dockerfile needs from outside', () => {
  const rows: readonly [string, string, Partial<ReturnType<typeof dockerfileNeeds>>][] = [
    ['an image', 'FROM debian:12\nRUN true\n', { images: ['debian:12'] }],
    ['nothing', 'FROM scratch\nCOPY a /a\n', { images: [] }],
    [
      'small letters, a platform and a name',
      'from --platform=linux/amd64 node:22 as build\nFROM build\n',
      { images: ['node:22'] },
    ],
    [
      'stages by name and number',
      'FROM a AS one\nFROM b\nCOPY --from=one /x /x\nCOPY --from=0 /y /y\n',
      { images: ['a', 'b'] },
    ],
    ['images to copy from', 'FROM a\nCOPY --chown=1 --from=tools:2 /x /x\n', { images: ['a', 'tools:2'] }],
    ['images to mount', 'FROM a\nRUN --mount=type=bind,from=cache:1,target=/c true\n', { images: ['a', 'cache:1'] }],
    ['arguments with defaults', 'ARG V=12\nARG BASE="debian:$V"\nFROM ${BASE}\n', { images: ['debian:12'] }],
    ['defaults in place', 'FROM ${BASE:-debian:12}\n', { images: ['debian:12'] }],
    ['arguments without a value', 'ARG BASE\nFROM $BASE\n', { images: [], unknown: ['$BASE'] }],
    ['lines that go on', 'FROM \\\n  # a comment in between\n\n  debian:12 \\\n  AS x\n', { images: ['debian:12'] }],
    ['another escape character', '# escape=`\nFROM `\n debian:12\n', { images: ['debian:12'] }],
    ['words in comments and commands', '# FROM no\nFROM yes\nRUN echo FROM no\n', { images: ['yes'] }],
    [
      'downloads',
      'FROM a\nADD https://x.example/y.tgz /y\nADD ["https://z.example/z", "/z"]\nADD local /l\n',
      { downloads: ['https://x.example/y.tgz', 'https://z.example/z'] },
    ],
    ['downloads behind a variable', 'FROM a\nARG URL=https://x.example\nADD $URL /y\n', { downloads: ['$URL'] }],
    ['lines of Windows', '\uFEFFFROM debian:12\r\nRUN true\r\n', { images: ['debian:12'] }],
  ];
  it.each(rows)('%s', (_, text, needs) => {
    expect(dockerfileNeeds(text)).toMatchObject({ unknown: [], downloads: [], ...needs });
  });
});
