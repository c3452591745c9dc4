"use strict";

/* What all pages need: their data, the colours of the moment, and a card beside the pointer. */

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const FONT = "system-ui, sans-serif";

function whenThemeChanges(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

function showBeside(event, nodes) {
  const card = byId("hover");
  card.replaceChildren(...nodes);
  card.hidden = false;
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - width - 8);
  const below = event.clientY + 16;
  card.style.left = `${Math.max(left, 8)}px`;
  card.style.top = `${below + height > innerHeight ? Math.max(event.clientY - height - 12, 8) : below}px`;
}

function hideCard() {
  byId("hover").hidden = true;
}

function shortened(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("").trimEnd()}…` : text;
}

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i");

function element(name, text, style) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (style) made.className = style;
  return made;
}
