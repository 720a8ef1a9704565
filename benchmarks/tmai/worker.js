// tmai behind JSON lines: a request per line on standard input, an answer per line back.
//
//     node worker.js PATH_OF_TMAI
//
// Started by link.py. tmai is read from its own folder into one fresh context per game, and nothing
// of it is part of this repository. Cells are 13 * row + column; tiles, cults, terrains and
// buildings have Stratagem's numbers.
'use strict';

const fs = require('fs');
const path = require('path');
const readline = require('readline');
const vm = require('vm');

// Menus, a human's clicks, its other players and its own tests stay out.
const FILES = [
  'util', 'enums', 'game', 'world', 'faction', 'player', 'action', 'rules', 'render', 'strategy',
  'actor', 'ai_lode', 'ai_lou', 'state', 'save', 'fireice',
];
const BONUS = [
  'SPADE_2C', 'CULT_4C', '6C', '3PW_SHIP', '3PW_1W', 'PASSSHSAVP_2W', 'PASSTPVP_1W', '1P',
  'PASSDVP_2C',
].map((name) => 'T_BON_' + name);
const TOWNS = ['5VP_6C', '7VP_2W', '9VP_P', '6VP_8PW', '8VP_CULT'].map((name) => 'T_TW_' + name);
const FAVOURS = [
  '3F', '3W', '3E', '3A', '2F_6TW', '2W_CULT', '2E_1PW1W', '2A_4PW', '1F_3C', '1W_TPVP', '1E_DVP',
  '1A_PASSTPVP',
].map((name) => 'T_FAV_' + name);
const ROUNDS = [
  'DIG2VP_1E1C', 'TW5VP_4E1DIG', 'D2VP_4W1P', 'SHSA5VP_2F1W', 'D2VP_4F4PW', 'TP3VP_4W1DIG',
  'SHSA5VP_2A1W', 'TP3VP_4A1DIG',
].map((name) => 'T_ROUND_' + name);
const POWER = ['BRIDGE', '1P', '2W', '7C', 'SPADE', '2SPADE'].map((name) => 'A_POWER_' + name);
const FACTIONS = {
  alchemists: 'ALCHEMISTS', auren: 'AUREN', chaosmagicians: 'CHAOS', cultists: 'CULTISTS',
  darklings: 'DARKLINGS', dwarves: 'DWARVES', engineers: 'ENGINEERS', fakirs: 'FAKIRS',
  giants: 'GIANTS', halflings: 'HALFLINGS', mermaids: 'MERMAIDS', nomads: 'NOMADS',
  swarmlings: 'SWARMLINGS', witches: 'WITCHES',
};
const COLUMNS = 13;
const TERRAINS = 7;

const folder = process.argv[2];
const script = new vm.Script(
    FILES.map((name) => fs.readFileSync(path.join(folder, name + '.js'), 'utf8')).join('\n;\n'),
    {filename: 'tmai'});

// A small generator of its own, so that a game's seed fixes what the players there draw.
function seededRandom(seed) {
  let word = seed >>> 0;
  return () => {
    word = (word + 0x9e3779b9) >>> 0;
    let mixed = word;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}

// Stands for whatever of a page its drawing code touches while it is read.
const page = new Proxy(function() {}, {
  get: (_, name) => name === Symbol.toPrimitive ? () => '' : page,
  set: () => true,
  apply: () => page,
  construct: () => page,
});

function makeContext(seed) {
  const context = vm.createContext({document: page, location: {search: ''}, console: {log() {}}});
  context.window = context;
  script.runInContext(context);
  for (const name of ['addLog', 'displayLog', 'setHelp', 'drawMap', 'drawHud']) {
    context[name] = () => {};
  }
  vm.runInContext('Math', context).random = seededRandom(seed);
  context.JSON = vm.runInContext('JSON', context);
  return context;
}

class Table {
  // One game of tmai; which seats the other side plays shows in who is asked.
  constructor(request) {
    const t = this.t = makeContext(request.seed);
    this.places = request.bridges;
    this.again = -1; // the seat that has its second action of a double turn next
    this.fumbles = 0; // moves that a player of tmai tried and its own rules refused
    t.initParams({
      newcultistsrule: true, towntilepromo2013: false, bonustilepromo2013: false, fireice: false,
      turnorder: false, aiAlgorithm: request.opponent === 'AI_Lode' ? 0 : 5, fireiceerrata: false,
      roundtilepromo2015: false, worldMap: 0, finalscoring: 0,
    });
    t.initStandardWorld(t.game);
    t.initBoard();
    request.factions.forEach((name, seat) => {
      const player = t.game.players[seat] = t.makeNewAIPlayer('seat ' + seat);
      player.index = seat;
      const faction = t.factions[t['F_' + FACTIONS[name]]];
      player.setFaction(faction);
      player.color = player.woodcolor = faction.color;
    });
    for (let tile = t.T_BON_BEGIN + 1; tile < t.T_BON_END; tile++) t.game.bonustiles[tile] = 0;
    for (const card of request.cards) t.game.bonustiles[t[BONUS[card]]] = 1;
    request.tiles.forEach((tile, k) => { t.game.roundtiles[k + 1] = t[ROUNDS[tile]]; });
    t.state.startPlayer = t.state.currentPlayer = t.state.prevPlayer = 0;
    t.state.type = t.S_INIT_FACTION;
    t.state.initNewStateType(t.S_INIT_FACTION);
    this.wrapRules();
    this.runOn();
  }

  // Two moves that its rules refuse or cannot express, and the other side allows: see README.md.
  wrapRules() {
    const t = this.t;
    const next = t.State.prototype.selectNextActionPlayer_;
    const table = this;
    t.State.prototype.selectNextActionPlayer_ = function() {
      if (table.again >= 0) this.currentPlayer = table.again;
      else next.call(this);
      table.again = -1;
    };
    const tryAction = t.tryAction;
    t.tryAction = function(player, action) {
      if (action.stray) player.transformco = null;
      const error = tryAction(player, action);
      if (action.forfeit) player.overflowspades = true;
      return error;
    };
  }

  // -- reading -------------------------------------------------------------------------------

  // Who has to decide what, or null while the game goes on by itself.
  decider() {
    const t = this.t, state = t.state;
    const seat = state.currentPlayer;
    switch (state.type) {
      case t.S_INIT_DWELLING: return {seat, kind: 'dwelling'};
      case t.S_INIT_BONUS: return {seat, kind: 'card'};
      case t.S_ACTION: return {seat, kind: 'turn'};
      case t.S_CULTISTS: return {seat, kind: 'cult'};
      case t.S_GAME_OVER: return {seat: -1, kind: 'over'};
      case t.S_LEECH: {
        const [asked, offer] = state.leecharray[state.leechi];
        const amount = t.actualLeechAmount(t.game.players[asked], offer);
        return amount > 0 ? {seat: asked, kind: 'leech'} : null;
      }
      case t.S_ROUND_END_DIG:
        return t.getRoundBonusDigs(t.game.players[seat], state.round) > 0 ?
            {seat, kind: 'dig'} : null;
    }
    return null;
  }

  runOn() {
    const t = this.t;
    while (this.decider() === null) {
      t.state.executeActor(() => { throw new Error('a decision that nobody expected'); },
          () => t.state.transitionState());
    }
  }

  describe() {
    const t = this.t, game = t.game;
    const seats = game.players.map((_, seat) => seat);
    const seatOf = (color) => color === t.N ? -1 : t.woodColorToPlayerMap[color];
    const land = [];
    for (let cell = 0; cell < game.world.length; cell++) {
      const color = game.world[cell];
      if (color === t.N || color === t.I) continue;
      const [building, owner] = game.buildings[cell];
      land.push([this.terrain(color), building, building === t.B_NONE ? -1 : seatOf(owner)]);
    }
    return {
      round: t.state.round,
      land,
      bridges: this.places.map(([a, b]) => seatOf(t.getBridge(...this.co(a), ...this.co(b)))),
      priests: game.cultp.map((spots) => spots.map(seatOf)),
      taken: POWER.map((name) => game.octogons[t[name]] ? 1 : 0),
      coins: BONUS.map((name) => game.bonustilecoins[t[name]] || 0),
      favours_left: FAVOURS.map((name) => game.favortiles[t[name]]),
      towns_left: TOWNS.map((name) => game.towntiles[t[name]]),
      seats: seats.map((seat) => this.describeSeat(game.players[seat])),
    };
  }

  describeSeat(player) {
    const t = this.t;
    return {
      points: player.vp, coins: player.c, workers: player.w, priests: player.p,
      power: [player.pw0, player.pw1, player.pw2], cults: Array.from(player.cult),
      keys: player.keys, ship: player.shipping, dig: player.digging,
      bridges: 3 - player.bridgepool,
      card: BONUS.findIndex((name) => t[name] === player.bonustile),
      favours: FAVOURS.map((name) => player.favortiles[t[name]] ? 1 : 0),
      towns: TOWNS.map((name) => player.towntiles[t[name]] || 0),
      passed: player.passed ? 1 : 0,
    };
  }

  status() {
    return {...this.decider(), fumbles: this.fumbles, table: this.describe()};
  }

  // -- numbers of both sides -----------------------------------------------------------------

  co(cell) { return [cell % COLUMNS, Math.floor(cell / COLUMNS)]; }
  cell(co) { return COLUMNS * co[1] + co[0]; }
  terrain(color) { return (color - this.t.U + TERRAINS) % TERRAINS; }
  tile(names, number) { return names.findIndex((name) => this.t[name] === number); }

  say(action) {
    const said = {type: this.t.getActionCodeName(action.type)};
    if (action.co) said.cell = this.cell(action.co);
    if (action.cos.length) said.cells = Array.from(action.cos, (co) => this.cell(co));
    if (action.cult !== this.t.C_NONE) said.cult = action.cult;
    if (action.bontile !== this.t.T_NONE) said.card = this.tile(BONUS, action.bontile);
    if (action.favtiles.length) {
      said.favours = Array.from(action.favtiles, (tile) => this.tile(FAVOURS, tile));
    }
    if (action.twtiles.length) {
      said.towns = Array.from(action.twtiles, (tile) => this.tile(TOWNS, tile));
    }
    return said;
  }

  actionType(name) {
    for (let type = this.t.A_BEGIN; type < this.t.A_END; type++) {
      if (this.t.getActionCodeName(type) === name) return type;
    }
    throw new Error('no action is called ' + name);
  }

  // Lists must be made inside its context: it copies no objects of another one.
  own(list) { return this.t.JSON.parse(JSON.stringify(list)); }

  understand(said) {
    const t = this.t;
    const action = new t.Action(this.actionType(said.type));
    if (said.cell !== undefined) action.co = this.own(this.co(said.cell));
    if (said.cells) action.cos = this.own(said.cells.map((cell) => this.co(cell)));
    if (said.cult !== undefined) action.cult = said.cult;
    if (said.card !== undefined) action.bontile = t[BONUS[said.card]];
    action.favtiles = this.own((said.favours || []).map((tile) => t[FAVOURS[tile]]));
    action.twtiles = this.own((said.towns || []).map((tile) => t[TOWNS[tile]]));
    if (said.stray) action.stray = true;
    if (said.forfeit) action.forfeit = true;
    return action;
  }

  sayResult(kind, result) {
    if (kind === 'dwelling') return this.cell(result);
    if (kind === 'card') return this.tile(BONUS, result);
    if (kind === 'turn') return Array.from(result, (action) => this.say(action));
    if (kind === 'dig') {
      return Array.from(result, ([type, x, y]) =>
        ({type: this.t.getActionCodeName(type), cell: this.cell([x, y])}));
    }
    return result;
  }

  understandResult(kind, said) {
    if (kind === 'dwelling') return this.co(said);
    if (kind === 'card') return this.t[BONUS[said]];
    if (kind === 'turn') return said.map((action) => this.understand(action));
    if (kind === 'dig') {
      return said.map(({type, cell}) => [this.actionType(type), ...this.co(cell)]);
    }
    return said;
  }

  // -- changing ------------------------------------------------------------------------------

  // A player of tmai decides; what it chose in the end is reported.
  play() {
    const t = this.t;
    const {seat, kind} = this.decider();
    let chosen = null;
    let refusal = '';
    const tell = (index, result) => {
      // Its rules change nothing of what they are given, but the players keep their lists.
      const said = this.sayResult(kind, result);
      const error = t.state.executeResult(index, result);
      if (error) this.fumbles++;
      if (error) refusal = error;
      else chosen = said;
      return error;
    };
    try {
      t.state.executeActor(tell, () => { chosen = null; });
    } catch (error) {
      // After a refused move its players pass, and some throw then: the game goes on from there.
      refusal = refusal || String(error);
      if (chosen === null && kind !== 'dig') return {refused: refusal};
    }
    if (chosen === null && kind === 'dig') chosen = [];
    if (chosen === null) return {refused: refusal};
    t.state.transitionState();
    this.runOn();
    return {move: chosen, mover: seat, moved: kind, ...this.status()};
  }

  // The other side has decided. A refusal leaves the game as it was.
  carryOut(request) {
    const t = this.t;
    const {seat, kind} = this.decider();
    if (request.double) {
      t.game.players[seat].octogons[t.A_DOUBLE] = 1;
      this.again = seat;
    }
    t.state.next_type = t.S_NONE;
    const error = t.state.executeResult(seat, this.understandResult(kind, request.move));
    if (error) return {refused: error};
    t.state.transitionState();
    this.runOn();
    return this.status();
  }

  // Points and power that the other side's rules give for spades which were not used.
  amend({seat, points, power}) {
    const player = this.t.game.players[seat];
    player.addVP(points, 'faction', 'faction');
    this.t.addPower(player, power);
    return this.status();
  }
}

const tables = new Map();

// What tmai throws ends that game alone, under its name.
function guarded(work) {
  try {
    return work();
  } catch (error) {
    return {refused: String(error)};
  }
}

function answer(request) {
  if (request.do === 'new') {
    tables.set(request.game, new Table(request));
    return tables.get(request.game).status();
  }
  const table = tables.get(request.game);
  switch (request.do) {
    case 'play': return guarded(() => table.play());
    case 'move': return guarded(() => table.carryOut(request));
    case 'amend': return table.amend(request);
    case 'drop': tables.delete(request.game); return {};
  }
  throw new Error('no request is called ' + request.do);
}

readline.createInterface({input: process.stdin}).on('line', (line) => {
  const request = JSON.parse(line);
  process.stdout.write(JSON.stringify({id: request.id, ...answer(request)}) + '\n');
});
