// @ts-check
// Levels that leave the page: links, files, pictures, the clipboard.
import { Sokoban } from "./rules/sokoban.js";

/** Run-length code of a board: shorter, and without line ends. @param {string} text */
export function squeeze(text) {
  return text.trimEnd().split("\n")
    .map((row) => row.replace(/ /g, "-").replace(/(.)\1+/g, (run, symbol) => (run.length > 2 ? run.length + symbol : run)))
    .join("|");
}

/** A link that holds the instance. @param {string} domain @param {string} text @param {string} title */
export function linkTo(domain, text, title) {
  const level = domain === "sokoban" ? squeeze(text) : text.trimEnd().replace(/\n/g, "|");
  const name = title ? `&title=${encodeURIComponent(title)}` : "";
  return `${location.origin}/#${domain}&level=${encodeURIComponent(level)}${name}`;
}

/** What a link's fragment says; level: null if it holds none. damaged: it cannot be read. @param {string} fragment */
export function readLink(fragment) {
  const [domain, ...parts] = fragment.replace(/^#/, "").split("&");
  /** @type {Record<string, string>} */ const members = {};
  try {
    for (const part of parts) members[part.split("=")[0]] = decodeURIComponent(part.slice(part.indexOf("=") + 1));
  } catch {
    return { domain, level: null, title: "", members, damaged: true };
  }
  const level = members.level ?? null;
  return { domain, level: level && domain !== "sokoban" ? level.replace(/\|/g, "\n") : level, title: members.title ?? "", members, damaged: false };
}

/** @param {string} name @param {Blob} content */
export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A name for a file, from a title. @param {string} title @param {string} ending */
export const fileName = (title, ending) => `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "level"}.${ending}`;

/** A collection of one level with its title, author and moves. @param {{text: string, title: string, author: string,
 *  line: string, ended: boolean}} level */
export function asSok(level) {
  const title = level.title ? `Title: ${level.title}\n` : "";
  const author = level.author ? `Author: ${level.author}\n` : "";
  const moves = level.line ? `\n${level.ended ? "Solution" : "Snapshot"}\n${level.line.replace(/.{1,76}/g, "$&\n")}` : "";
  return `${level.text.trimEnd()}\n${title}${author}${moves}`;
}

/** @param {string} text a Sokoban position @param {Record<string, string>} palette */
export function asSvg(text, palette) {
  const p = new Sokoban(text);
  const s = 32;
  let body = "";
  for (let i = 0; i < p.wall.length; i++) {
    const x = (i % p.width) * s;
    const y = Math.floor(i / p.width) * s;
    if (p.wall[i]) body += `<rect x="${x}" y="${y}" width="${s}" height="${s}" fill="${palette.wall}"/>`;
    else if (p.floor[i]) body += `<rect x="${x}" y="${y}" width="${s}" height="${s}" fill="${palette.floor}"/>`;
    if (p.goal[i]) body += `<path d="M${x + 16} ${y + 9}l7 7l-7 7l-7-7z" fill="none" stroke="${palette.goal}" stroke-width="2"/>`;
    if (p.box[i]) body += `<rect x="${x + 3}" y="${y + 3}" width="26" height="26" rx="3" fill="${p.goal[i] ? palette.home : palette.box}"/>`;
    if (i === p.player) body += `<g fill="${palette.player}"><circle cx="${x + 16}" cy="${y + 10}" r="6"/><rect x="${x + 7}" y="${y + 15}" width="18" height="13" rx="6"/></g>`;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${p.width * s} ${p.height * s}">${body}</svg>\n`;
}
